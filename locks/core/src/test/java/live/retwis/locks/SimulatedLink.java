package live.retwis.locks;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.redisson.client.RedisTimeoutException;
import org.redisson.command.CommandAsyncExecutor;
import reactor.core.Disposable;

/**
 * The connection of a client to one node. Each command and each answer takes its own
 * time, so they can overtake each other. Some are lost, and some arrive when nobody waits
 * any more.
 */
final class SimulatedLink implements NodeConnection {

	static final Duration TIMEOUT = Duration.ofMillis(100);

	private static final long MILLI = 1_000_000;

	private final String name;

	private final SimulatedTime time;

	private final SimulatedLockNode node;

	private final Random random;

	private final CommandAsyncExecutor executor = new SimulatedExecutor(this);

	/** Number of answers to releases that have arrived, by owner. */
	private final Map<String, Integer> released = new HashMap<>();

	private NodeState state;

	private Consumer<CompletableFuture<?>> beforeUp = (up) -> {
	};

	private boolean looking;

	/** The least time for each direction, in nanoseconds. */
	private long slow;

	private boolean cut;

	/** Lost commands of a thousand. */
	private int lost;

	/**
	 * Late commands of a thousand that take a key. Of other commands a tenth of this is
	 * late.
	 */
	private int late;

	SimulatedLink(String client, SimulatedTime time, SimulatedLockNode node, Random random) {
		this.name = client + " to " + node.name();
		this.time = time;
		this.node = node;
		this.random = random;
		this.state = NodeState.up(node.name());
	}

	void unreliable(int lostOfThousand, int lateOfThousand) {
		this.lost = lostOfThousand;
		this.late = lateOfThousand;
	}

	void slow(Duration way) {
		this.slow = way.toNanos();
	}

	void cut(boolean cut) {
		this.cut = cut;
	}

	int answeredReleases(String owner) {
		return this.released.getOrDefault(owner, 0);
	}

	private long way() {
		return this.slow + (long) ((0.1 + this.random.nextDouble()) * ((this.random.nextInt(8) == 0) ? 8 : 1) * MILLI);
	}

	private boolean chance(int ofThousand) {
		return this.random.nextInt(1000) < ofThousand;
	}

	/** The answer to a command, within the node time-out. */
	CompletableFuture<Boolean> send(SimulatedCommand command) {
		boolean isLate = chance((command.kind() == SimulatedCommand.Kind.TAKE) ? this.late : this.late / 10);
		long there = isLate ? (TIMEOUT.toMillis() + this.random.nextInt(600)) * MILLI : way();
		return send(command, there, TIMEOUT.toNanos(), () -> this.node.run(command, isLate)).thenApply((yes) -> {
			if (command.kind() == SimulatedCommand.Kind.RELEASE) {
				this.released.merge(command.owner(), 1, Integer::sum);
			}
			return yes;
		});
	}

	private CompletableFuture<Boolean> send(Object what, long there, long timeout, BooleanSupplier command) {
		CompletableFuture<Boolean> answer = new CompletableFuture<>();
		int life = this.node.life();
		this.time.tell(() -> this.name + " sends " + what);
		Disposable timer = this.time.after(timeout,
				() -> answer.completeExceptionally(new RedisTimeoutException("late")));
		answer.whenComplete((yes, error) -> timer.dispose());
		if (!this.cut && !chance(this.lost)) {
			this.time.after(there, () -> arrive(life, what, command, answer));
		}
		return answer;
	}

	private void arrive(int life, Object what, BooleanSupplier command, CompletableFuture<Boolean> answer) {
		if (!this.node.isUp() || this.node.life() != life) {
			if (this.random.nextBoolean()) {
				answer.completeExceptionally(new IOException("closed"));
			}
			return;
		}
		boolean yes = command.getAsBoolean();
		this.time.tell(() -> this.name + " " + what + ": " + yes);
		if (!this.cut && !chance(this.lost)) {
			this.time.after(way(), () -> {
				if (this.node.life() == life) {
					answer.complete(yes);
				}
			});
		}
	}

	@Override
	public void start(Consumer<CompletableFuture<?>> beforeUp) {
		this.beforeUp = beforeUp;
	}

	@Override
	public NodeState state() {
		return this.state;
	}

	@Override
	public CommandAsyncExecutor client() {
		return this.executor;
	}

	@Override
	public void suspect(String reason, NodeState asked) {
		if (this.state == asked) {
			this.time.tell(() -> this.name + " is suspect");
			this.state = NodeState.notReached(this.node.name(), reason);
			look(0);
		}
	}

	@Override
	public void lookAgain() {
		look(pause());
	}

	private long pause() {
		return (50 + this.random.nextInt(100)) * MILLI;
	}

	private void look(long delay) {
		if (!this.looking) {
			this.looking = true;
			this.time.after(delay,
					() -> send("look", way(), 2 * TIMEOUT.toNanos(), () -> true).whenComplete((up, down) -> {
						this.looking = false;
						seen(down == null);
					}));
		}
	}

	private void seen(boolean isUp) {
		if (!isUp) {
			this.state = NodeState.notReached(this.node.name(), "does not answer");
			look(pause());
			return;
		}
		CompletableFuture<Void> up = new CompletableFuture<>();
		this.beforeUp.accept(up);
		this.state = NodeState.up(this.node.name());
		up.complete(null);
	}

}
