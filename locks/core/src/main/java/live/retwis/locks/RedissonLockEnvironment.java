package live.retwis.locks;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Real clocks, timers and nodes. It also holds the rules for nodes: each is a master that
 * evicts nothing, and no two are the same server.
 */
final class RedissonLockEnvironment implements LockEnvironment {

	private static final Logger logger = LoggerFactory.getLogger(RedissonLockEnvironment.class);

	private static final Duration FIRST_TRY = Duration.ofSeconds(1);

	private static final Duration CLOSE = Duration.ofSeconds(3);

	private final TimeSource time;

	private final List<RedissonNodeConnection> links;

	private final NodeClients clients;

	private final Scheduler workers;

	private final ScheduledThreadPoolExecutor bodyThreads = bodyThreads();

	private final Scheduler bodies = Schedulers.fromExecutorService(this.bodyThreads);

	/** The id of the server behind each connection. Guarded by itself. */
	private final Map<RedissonNodeConnection, String> runIds = new HashMap<>();

	RedissonLockEnvironment(LockSettings settings, TimeSource time) {
		this.time = time;
		List<NodeAddress> addresses = settings.addresses();
		this.clients = new NodeClients(settings.nodeTimeout(), addresses.size(), settings.tls());
		this.workers = Schedulers.newBoundedElastic(addresses.size(), Integer.MAX_VALUE, "lock-nodes", 60, true);
		this.links = addresses.stream()
			.map((address) -> new RedissonNodeConnection(address, this.clients, this::brokenRule,
					this.workers.createWorker()))
			.toList();
	}

	/**
	 * Daemons that end when nothing was to do for a minute. A body whose lease is over
	 * does not stay in their queue.
	 */
	private static ScheduledThreadPoolExecutor bodyThreads() {
		ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE,
				RedissonLockEnvironment::bodyThread);
		threads.setKeepAliveTime(1, TimeUnit.MINUTES);
		threads.allowCoreThreadTimeOut(true);
		threads.setRemoveOnCancelPolicy(true);
		return threads;
	}

	private static Thread bodyThread(Runnable task) {
		Thread thread = new Thread(task, "lock-bodies");
		thread.setDaemon(true);
		return thread;
	}

	@Override
	public ClockReading now() {
		return this.time.now();
	}

	@Override
	public Scheduler timers() {
		return Schedulers.parallel();
	}

	@Override
	public Scheduler bodies() {
		return this.bodies;
	}

	@Override
	public long between(long from, long to) {
		return ThreadLocalRandom.current().nextLong(from, to + 1);
	}

	@Override
	public String owner() {
		return OwnerNames.next();
	}

	@Override
	public List<RedissonNodeConnection> links() {
		return this.links;
	}

	@Override
	public int eventLoops() {
		return this.clients.eventLoops();
	}

	@Override
	public Mono<Void> ready() {
		return Mono.defer(() -> {
			CompletableFuture<?>[] tries = this.links.stream()
				.map(RedissonNodeConnection::tried)
				.toArray(CompletableFuture<?>[]::new);
			return Mono.fromFuture(CompletableFuture.allOf(tries), true).timeout(FIRST_TRY, Mono.empty());
		}).then(Mono.defer(() -> {
			List<NodeState> wrong = this.links.stream()
				.map(RedissonNodeConnection::state)
				.filter(NodeState::isWrong)
				.toList();
			return wrong.isEmpty() ? Mono.empty() : Mono.error(new IneligibleNodesException(wrong));
		}));
	}

	private Optional<String> brokenRule(RedissonNodeConnection link, NodeFacts facts) {
		Optional<String> own = facts.brokenRule();
		if (own.isPresent()) {
			return own;
		}
		if (!facts.remembers() && !facts.runId().equals(known(link))) {
			logger.warn(
					"Lock node {} {} (it takes appendonly yes, appendfsync always): start it again only after the"
							+ " longest lease",
					link.state().name(), facts.tellsAppendFsync() ? "may forget locks over a restart"
							: "refuses CONFIG GET, so it may forget locks over a restart");
		}
		return facts.runId().isEmpty() ? Optional.empty() : sameServer(link, facts.runId());
	}

	private String known(RedissonNodeConnection link) {
		synchronized (this.runIds) {
			return this.runIds.getOrDefault(link, "");
		}
	}

	/**
	 * Finds out whether two names in the settings are one server. Only the first of them
	 * may vote.
	 */
	private Optional<String> sameServer(RedissonNodeConnection link, String runId) {
		synchronized (this.runIds) {
			this.runIds.put(link, runId);
			List<RedissonNodeConnection> same = this.links.stream()
				.filter((other) -> runId.equals(this.runIds.get(other)))
				.toList();
			RedissonNodeConnection first = same.get(0);
			String reason = "is the same server as " + first.state().name();
			same.stream().filter((other) -> other != first && other != link).forEach((other) -> other.exclude(reason));
			return (link == first) ? Optional.empty() : Optional.of(reason);
		}
	}

	@Override
	public Mono<Void> close() {
		return Mono.defer(() -> {
			Scheduler clients = Schedulers.newSingle("lock-close", true);
			Scheduler rest = Schedulers.newSingle("lock-close", true);
			return Flux.fromIterable(this.links)
				.flatMap((link) -> Mono.fromCompletionStage(link::close).onErrorComplete())
				.then()
				.subscribeOn(clients)
				.timeout(CLOSE, Mono.empty())
				.then(Mono.<Void>fromRunnable(this::end).subscribeOn(rest).timeout(CLOSE, Mono.empty()))
				.doFinally((signal) -> {
					clients.dispose();
					rest.dispose();
				});
		});
	}

	/**
	 * Waits for the timers of the clients, so it must not run on one. Bodies that have
	 * not ended go on.
	 */
	private void end() {
		this.clients.close();
		this.workers.dispose();
		this.bodyThreads.shutdown();
		this.links.forEach(RedissonNodeConnection::stopTimer);
	}

}
