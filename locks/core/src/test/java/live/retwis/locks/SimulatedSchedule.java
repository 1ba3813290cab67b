package live.retwis.locks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

import reactor.core.publisher.Mono;

/**
 * A schedule with three clients, three or five nodes and some faults. A number decides
 * the order of all events.
 */
final class SimulatedSchedule {

	private static final int CLIENTS = 3;

	private static final Duration STEP = Duration.ofMillis(100);

	/** Simulated time. All operations of a schedule take a part of it. */
	private static final Duration LONGEST = Duration.ofMinutes(10);

	/**
	 * Time until releases that a node missed have been sent, and sent again. The last
	 * command that is late has arrived by then, too.
	 */
	private static final Duration SETTLING = SimulatedLink.TIMEOUT.multipliedBy(9);

	private final SimulatedTime time;

	private final Random random;

	private final SimulatedHolders holders;

	private final LockOptions options;

	private final List<SimulatedLockNode> nodes;

	private final List<SimulatedClient> clients;

	private final List<SimulatedCaller> callers;

	private final boolean withinModel;

	private boolean healed;

	private SimulatedSchedule(long seed, Rules rules, boolean told) {
		this.time = new SimulatedTime(told);
		this.random = new Random(seed);
		this.withinModel = this.random.nextBoolean();
		this.holders = new SimulatedHolders(this.withinModel);
		this.options = LockOptions.of(Duration.ofSeconds(this.random.nextBoolean() ? 1 : 10),
				Duration.ofMillis(300 + this.random.nextInt(1500)));
		int size = this.random.nextBoolean() ? 3 : 5;
		this.nodes = IntStream.range(0, size)
			.mapToObj((number) -> new SimulatedLockNode("node:" + (number + 1), this.time, this.random.nextInt(9000)))
			.toList();
		SimulatedStore store = rules.store().apply(this.time, this.random);
		Engine engine = this.random.nextBoolean() ? Engine.REDISSON : Engine.PARALLEL;
		int lost = (this.withinModel && this.random.nextInt(3) == 0) ? 30 : 0;
		int late = new int[] { 0, 60, 300 }[this.withinModel ? this.random.nextInt(3) : 2];
		this.clients = IntStream.range(0, CLIENTS).mapToObj((number) -> {
			List<SimulatedLink> links = this.nodes.stream()
				.map((node) -> new SimulatedLink("client " + number, this.time, node, this.random))
				.toList();
			links.forEach((link) -> link.unreliable(lost, late));
			return new SimulatedClient(this.time, links, engine, store, rules.ballots(), this.random);
		}).toList();
		this.callers = new ArrayList<>();
		for (SimulatedClient client : this.clients) {
			for (int number = this.random.nextInt(2); number < 2; number++) {
				String name = "client " + this.clients.indexOf(client) + " caller " + number;
				this.callers.add(new SimulatedCaller(name, this.time, client, store, this.holders, this.options,
						this.random, 2 + this.random.nextInt(6)));
			}
		}
	}

	/**
	 * The locks and the store of a schedule.
	 *
	 * @param store the store that the locks protect
	 * @param ballots the clients' ballots for each node; they may break a rule
	 */
	record Rules(BiFunction<SimulatedTime, Random, SimulatedStore> store,
			Function<SimulatedLockEnvironment, BiFunction<LockNode, CandidateOwner, Ballot>> ballots) {

		static final Rules OURS = new Rules(SimulatedStore::new, (environment) -> Ballot::new);

	}

	/**
	 * Plays one schedule.
	 * @throws BrokenPromise with the seed
	 * @throws IllegalStateException with the seed, when the locks crash
	 */
	static void play(long seed, Rules rules) {
		try {
			new SimulatedSchedule(seed, rules, Long.getLong("simulation.seed", -1) == seed).play();
		}
		catch (BrokenPromise ex) {
			BrokenPromise told = new BrokenPromise(told(seed, ex));
			told.initCause(ex);
			throw told;
		}
		catch (RuntimeException ex) {
			throw new IllegalStateException(told(seed, ex), ex);
		}
	}

	private static String told(long seed, Throwable broken) {
		return "Seed " + seed + ": " + broken.getMessage() + " (-Dsimulation.seed=" + seed + " plays it again)";
	}

	private void play() {
		this.callers.forEach(SimulatedCaller::start);
		int faults = this.random.nextInt(7);
		for (int count = 0; count < faults; count++) {
			this.time.after((long) (this.random.nextDouble() * 1e9), this::fault);
		}
		while (!this.callers.stream().allMatch(SimulatedCaller::isDone)) {
			pass(STEP);
			if (this.time.now() > LONGEST.toNanos()) {
				throw new BrokenPromise("It does not come to an end");
			}
		}
		heal();
		pass(SETTLING);
		checkRest();
		pass(this.options.lease().plus(STEP));
		checkGone();
		checkFree();
	}

	private void pass(Duration duration) {
		this.time.pass(duration);
		this.callers.forEach(SimulatedCaller::checkDeadline);
		Throwable failure = this.holders.failure();
		if (failure instanceof BrokenPromise violation) {
			throw violation;
		}
		if (failure != null) {
			throw new IllegalStateException(failure);
		}
	}

	private void checkFree() {
		CompletableFuture<Boolean> had = this.clients.get(0)
			.locks()
			.withLock(SimulatedCaller.NAME, LockOptions.of(this.options.lease(), STEP.multipliedBy(5)),
					(lease) -> Mono.just(true))
			.toFuture();
		pass(STEP.multipliedBy(8));
		if (!had.isDone() || had.isCompletedExceptionally()) {
			throw new BrokenPromise("Nobody gets the lock any more");
		}
	}

	private SimulatedLockNode anyNode() {
		return this.nodes.get(this.random.nextInt(this.nodes.size()));
	}

	private SimulatedClient anyClient() {
		return this.clients.get(this.random.nextInt(CLIENTS));
	}

	private SimulatedLink anyLink() {
		return anyClient().environment().links().get(this.random.nextInt(this.nodes.size()));
	}

	private void fault() {
		if (this.healed) {
			return;
		}
		int kind = this.random.nextInt(this.withinModel ? 4 : 8);
		this.time.tell(() -> "fault " + kind);
		switch (kind) {
			case 0 -> crash();
			case 1 -> anyLink().slow(Duration.ofMillis(new int[] { 2, 15, 45 }[this.random.nextInt(3)]));
			case 2 -> {
				SimulatedLink link = anyLink();
				link.cut(true);
				this.time.after(this.random.nextInt(1_000_000_000), () -> link.cut(false));
			}
			case 3 -> anyClient().environment()
				.stepWallClock(
						this.random.nextInt(4) == 0 ? this.random.nextInt(20_000) : -this.random.nextInt(20_000));
			case 4 -> anyNode().jump(this.random.nextInt(2000) * 1_000_000L);
			default -> crash();
		}
	}

	private void crash() {
		SimulatedLockNode node = anyNode();
		node.crash(!this.withinModel);
		this.time.after((this.random.nextInt(4) > 0) ? 0 : this.random.nextInt(500_000_000), node::restart);
	}

	private void heal() {
		this.healed = true;
		this.nodes.forEach(SimulatedLockNode::restart);
		this.clients.forEach((client) -> client.environment().links().forEach((link) -> {
			link.unreliable(0, 0);
			link.slow(Duration.ZERO);
			link.cut(false);
		}));
	}

	/** Checks that no node has a key, not even one that came late. */
	private void checkGone() {
		for (SimulatedLockNode node : this.nodes) {
			node.owner("lock:" + SimulatedCaller.NAME).ifPresent((owner) -> {
				throw new BrokenPromise("A key of " + owner + " is left for longer than a lease on " + node.name());
			});
		}
	}

	private void checkRest() {
		this.clients.forEach(SimulatedClient::checkIdle);
		for (SimulatedLockNode node : this.nodes) {
			if (node.hasLeftBehind("lock:" + SimulatedCaller.NAME, this.holders::gaveBack)) {
				throw new BrokenPromise("A key is left on " + node.name() + " by "
						+ node.owner("lock:" + SimulatedCaller.NAME).orElse("nobody"));
			}
		}
	}

}
