package live.retwis.locks;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * All nodes, and the rules that they keep: each a master that evicts nothing, each
 * another server than the rest.
 */
final class LockNodes {

	private static final Logger logger = LoggerFactory.getLogger(LockNodes.class);

	private static final Duration FIRST_TRY = Duration.ofSeconds(1);

	private static final Duration CLOSE = Duration.ofSeconds(3);

	private final List<LockNode> nodes;

	private final NodeClients clients;

	private final Scheduler workers;

	private final Voting voting;

	private final Turns turns;

	private final BiFunction<LockNode, Bid, Ballot> ballots;

	/** Guarded by itself. */
	private final Map<NodeLink, String> runIds = new HashMap<>();

	private LockNodes(LockSettings settings, TimeSource time, BiFunction<LockNode, Bid, Ballot> ballots) {
		this.ballots = ballots;
		List<NodeAddress> addresses = settings.addresses();
		this.voting = Voting.of(settings.engine());
		this.clients = new NodeClients(settings.nodeTimeout(), addresses.size(), settings.tls());
		this.turns = new Turns(this.voting.busyRounds(this.clients.eventLoops()), settings.nodeTimeout());
		this.workers = Schedulers.newBoundedElastic(addresses.size(), Integer.MAX_VALUE, "lock-nodes", 60, true);
		this.nodes = addresses.stream()
			.map((address) -> new LockNode(address.name(),
					new NodeLink(address, this.clients, this::brokenRule, this.workers.createWorker()), time))
			.toList();
	}

	/**
	 * Starts to connect to all of them.
	 * @param ballots makes a node's part in an acquisition
	 */
	static LockNodes start(LockSettings settings, TimeSource time, BiFunction<LockNode, Bid, Ballot> ballots) {
		LockNodes nodes = new LockNodes(settings, time, ballots);
		nodes.all().forEach(LockNode::start);
		return nodes;
	}

	List<LockNode> all() {
		return this.nodes;
	}

	/** One for each node. */
	List<Ballot> ballots(Bid bid) {
		return this.nodes.stream().map((node) -> this.ballots.apply(node, bid)).toList();
	}

	Voting voting() {
		return this.voting;
	}

	Turns turns() {
		return this.turns;
	}

	/** Whether this thread serves the nodes. */
	boolean inEventLoop() {
		return this.clients.inEventLoop();
	}

	List<NodeState> states() {
		return this.nodes.stream().map((node) -> node.link().state()).toList();
	}

	/** As {@link RedLock#ready()}. */
	Mono<Void> ready() {
		return Mono.defer(() -> {
			CompletableFuture<?>[] tries = this.nodes.stream()
				.map((node) -> node.link().tried())
				.toArray(CompletableFuture<?>[]::new);
			return Mono.fromFuture(CompletableFuture.allOf(tries), true).timeout(FIRST_TRY, Mono.empty());
		}).then(Mono.defer(() -> {
			List<NodeState> wrong = states().stream().filter(NodeState::isWrong).toList();
			return wrong.isEmpty() ? Mono.empty() : Mono.error(new WrongNodes(wrong));
		}));
	}

	private Optional<String> brokenRule(NodeLink link, NodeFacts facts) {
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

	private String known(NodeLink link) {
		synchronized (this.runIds) {
			return this.runIds.getOrDefault(link, "");
		}
	}

	/** Of two names of one server, the first in the settings may vote. */
	private Optional<String> sameServer(NodeLink link, String runId) {
		synchronized (this.runIds) {
			this.runIds.put(link, runId);
			List<NodeLink> same = this.nodes.stream()
				.map(LockNode::link)
				.filter((other) -> runId.equals(this.runIds.get(other)))
				.toList();
			NodeLink first = same.get(0);
			String reason = "is the same server as " + first.state().name();
			same.stream().filter((other) -> other != first && other != link).forEach((other) -> other.exclude(reason));
			return (link == first) ? Optional.empty() : Optional.of(reason);
		}
	}

	Mono<Void> close() {
		return Flux.fromIterable(this.nodes)
			.flatMap((node) -> Mono.fromCompletionStage(() -> node.link().close()).onErrorComplete())
			.then()
			.timeout(CLOSE, Mono.empty())
			.then(Mono.<Void>fromRunnable(this::end).subscribeOn(Schedulers.boundedElastic()))
			.subscribeOn(Schedulers.boundedElastic());
	}

	/** Waits for locks of threads that end: not on an event loop. */
	private void end() {
		this.clients.close();
		this.workers.dispose();
	}

}
