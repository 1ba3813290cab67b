package live.retwis.locks;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.command.CommandAsyncExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.scheduler.Scheduler;

/**
 * The connection to one node. It connects in the background, for as long as that takes,
 * and examines at each connect whether the node keeps the rules. It knows whether the
 * node can be asked. So a command to a node that is down fails at once, and not by a
 * time-out.
 * <p>
 * Only the node's own worker examines the node, and it may block.
 */
final class RedissonNodeConnection implements NodeConnection {

	private static final Logger logger = LoggerFactory.getLogger(RedissonNodeConnection.class);

	/**
	 * The mean pause between two tries to connect. It is long, because making a client is
	 * expensive.
	 */
	private static final Duration CONNECT_PAUSE = Duration.ofMillis(500);

	/**
	 * How many tries the start waits for. In a program that has just started, the first
	 * one or two are too slow.
	 */
	private static final int FIRST_LOOKS = 3;

	/** The mean pause between two examinations of a node that is down. */
	private static final Duration LOOK_PAUSE = Duration.ofMillis(100);

	private final NodeAddress address;

	private final NodeClients clients;

	private final BiFunction<RedissonNodeConnection, NodeFacts, Optional<String>> rules;

	private final Scheduler.Worker worker;

	private final AtomicBoolean scheduled = new AtomicBoolean();

	private final CompletableFuture<Void> tried = new CompletableFuture<>();

	private volatile @Nullable Redisson client;

	/** Each examination sets a new object, so that an older state can be told from it. */
	private final AtomicReference<NodeState> state;

	private volatile Consumer<CompletableFuture<?>> beforeUp = (up) -> {
	};

	/** The state that was logged last. Only the worker uses it. */
	private @Nullable NodeState told;

	private int looks;

	private volatile boolean closed;

	/**
	 * Makes a connection that is not started yet.
	 * @param rules returns the rule that a node breaks, if any, in view of all nodes
	 * @param worker of this node alone
	 */
	RedissonNodeConnection(NodeAddress address, NodeClients clients,
			BiFunction<RedissonNodeConnection, NodeFacts, Optional<String>> rules, Scheduler.Worker worker) {
		this.address = address;
		this.clients = clients;
		this.rules = rules;
		this.worker = worker;
		this.state = new AtomicReference<>(NodeState.notReached(address.name(), "was not tried yet"));
	}

	@Override
	public void start(Consumer<CompletableFuture<?>> beforeUp) {
		this.beforeUp = beforeUp;
		look(Duration.ZERO);
	}

	@Override
	public @Nullable CommandAsyncExecutor client() {
		Redisson client = this.client;
		return (client != null) ? client.getCommandExecutor() : null;
	}

	@Override
	public NodeState state() {
		return Objects.requireNonNull(this.state.get());
	}

	/**
	 * Done when the node was reached, or was tried often enough to say that it is not
	 * there.
	 */
	CompletableFuture<Void> tried() {
		return this.tried;
	}

	/**
	 * Reports that something went wrong. The node is not asked until it has been
	 * examined.
	 */
	void suspect(String reason) {
		this.state.set(NodeState.notReached(this.address.name(), reason));
		look(Duration.ZERO);
	}

	/**
	 * Ignores the report when the node was examined after that state. A command that is
	 * lost with its connection is noticed only by its time-out, and by then the node may
	 * have been found again.
	 */
	@Override
	public void suspect(String reason, NodeState asked) {
		if (!asked.isUp() || this.state.compareAndSet(asked, NodeState.notReached(this.address.name(), reason))) {
			look(Duration.ZERO);
		}
	}

	/**
	 * Reports that the node breaks a rule, which the facts of another node have shown.
	 */
	void exclude(String reason) {
		this.state.set(NodeState.wrong(this.address.name(), reason));
		look(Duration.ZERO);
	}

	@Override
	public void lookAgain() {
		look(LOOK_PAUSE);
	}

	private void look(Duration delay) {
		if (!this.closed && this.scheduled.compareAndSet(false, true)) {
			try {
				this.worker.schedule(this::lookNow, delay.toMillis(), TimeUnit.MILLISECONDS);
			}
			catch (RejectedExecutionException ex) {
				// The connection was closed meanwhile.
			}
		}
	}

	private void lookNow() {
		this.scheduled.set(false);
		NodeState before = state();
		NodeState seen = observe();
		publish(seen, before);
		this.looks++;
		if (seen.health() != NodeState.Health.NOT_REACHED || this.looks == FIRST_LOOKS) {
			this.tried.complete(null);
		}
		if (!seen.isUp()) {
			look(pause());
		}
		if (this.tried.isDone()) {
			tell();
		}
	}

	/** Keeps what was reported while the node was examined. Another look follows then. */
	private void publish(NodeState seen, NodeState before) {
		CompletableFuture<Void> up = new CompletableFuture<>();
		if (seen.isUp()) {
			this.beforeUp.accept(up);
		}
		this.state.compareAndSet(before, seen);
		up.complete(null);
	}

	private NodeState observe() {
		String name = this.address.name();
		try {
			NodeFacts facts = NodeFacts.read(connected().getCommandExecutor(), this.clients.timeout());
			if (facts.isLoading()) {
				return NodeState.notReached(name, "is loading its data");
			}
			return this.rules.apply(this, facts)
				.map((rule) -> NodeState.wrong(name, rule))
				.orElseGet(() -> NodeState.up(name));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return NodeState.notReached(name, "is closed");
		}
		catch (Throwable ex) {
			// Also an Error, such as too few threads: another look must follow.
			return NodeState.notReached(name, NodeExceptionTranslator.reason(ex));
		}
	}

	private Redisson connected() {
		Redisson existing = this.client;
		if (existing != null) {
			return existing;
		}
		Redisson made = this.clients.connect(this.address, new ConnectionLossListener(this));
		this.client = made;
		if (this.closed) {
			made.shutdown();
		}
		return made;
	}

	/**
	 * Logs a change of state. It is called by the worker and not where the state changes,
	 * because writing to a log may block.
	 */
	private void tell() {
		NodeState now = state();
		if (!now.equals(this.told)) {
			this.told = now;
			logger.atLevel(now.isUp() ? Level.INFO : Level.WARN)
				.log("Lock node {}: {}{}", now.name(), now.health(), now.reason().isEmpty() ? "" : ", " + now.reason());
		}
	}

	/**
	 * A random pause of half to one and a half of the mean, so that the instances do not
	 * all come at once.
	 */
	private Duration pause() {
		long mean = ((this.client == null && this.tried.isDone()) ? CONNECT_PAUSE : LOOK_PAUSE).toMillis();
		return Duration.ofMillis(ThreadLocalRandom.current().nextLong(mean / 2, mean * 3 / 2));
	}

	CompletionStage<Void> close() {
		this.closed = true;
		this.worker.dispose();
		this.state.set(NodeState.notReached(this.address.name(), "is closed"));
		Redisson client = this.client;
		return (client != null) ? client.shutdownAsync() : CompletableFuture.completedFuture(null);
	}

	/**
	 * Ends the client's timer, even if the client is not shut down. A client that waits
	 * for a command shuts down on its timer, which cannot end itself.
	 */
	void stopTimer() {
		Redisson client = this.client;
		if (client != null) {
			client.getServiceManager().getTimer().stop();
		}
	}

}
