package live.retwis.locks.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import live.retwis.locks.Engine;
import live.retwis.locks.LockAttempt;
import live.retwis.locks.LockListener;
import live.retwis.locks.LockSettings;
import live.retwis.locks.NoQuorum;
import live.retwis.locks.NodeOutcome;
import live.retwis.locks.bench.OurRedLock.OurLease;
import live.retwis.locks.nodes.testing.bench.Figure;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * The cost of failing nodes for one engine. Another node fails in each round. At the end
 * all nodes are up again.
 */
final class FailingNodesBench implements AutoCloseable {

	/**
	 * Callers wait, unlike in the race. When a node is dead, a released name may still be
	 * taken on a node where the release has not arrived.
	 */
	private static final LockLoad LOAD = new LockLoad(16, false, LockContestant.WAIT);

	private static final int ALL = 5;

	private static final Duration BOUND = Duration.ofSeconds(10);

	/** Most a dead node may cost, as a factor. It must not cost time-outs. */
	private static final double MOST_DEAD = 2;

	private static final double MOST_PAUSED = LockSettings.NODE_TIMEOUT.toMillis() + 20;

	/**
	 * Most milliseconds of a release. It is less than the time-out, so the release did
	 * not wait for the node.
	 */
	private static final double MOST_RELEASE = 20;

	private static final double MOST_ATTEMPTS = 20;

	private final FiveServers servers;

	private final LockRounds rounds = new LockRounds();

	private final AtomicInteger attempts = new AtomicInteger();

	private final OurRedLock locks;

	private final List<LockFigures> healthy = new ArrayList<>();

	private final List<LockFigures> oneDead = new ArrayList<>();

	private final List<Double> acquiredPaused = new ArrayList<>();

	private final List<Double> releasedPaused = new ArrayList<>();

	private final List<Double> refused = new ArrayList<>();

	private final List<Double> attemptRates = new ArrayList<>();

	FailingNodesBench(FiveServers servers, Engine engine) {
		this.servers = servers;
		this.locks = new OurRedLock(servers, engine, new LockListener() {
			@Override
			public void onAttempt(LockAttempt attempt) {
				FailingNodesBench.this.attempts.incrementAndGet();
			}
		});
	}

	/** Warms up new clients, which are slow at first. */
	void warmUp(Duration time) throws InterruptedException {
		this.rounds.measure(LOAD, this.locks, time);
		this.rounds.forget();
	}

	void round(int number, Duration time) throws Exception {
		this.servers.empty();
		dead(number, time);
		acquirePaused(number);
		releasePaused(number);
		threeDead(number);
	}

	/**
	 * Alternates which of the two measurements comes first, so that none gains by being
	 * later.
	 */
	private void dead(int number, Duration time) throws InterruptedException {
		if (number % 2 == 0) {
			this.healthy.add(this.rounds.measure(LOAD, this.locks, time));
			this.oneDead.add(loadOnDead(number, time));
		}
		else {
			this.oneDead.add(loadOnDead(number, time));
			this.healthy.add(this.rounds.measure(LOAD, this.locks, time));
		}
	}

	/** Begins as soon as the node is dead, even if that is not noticed yet. */
	private LockFigures loadOnDead(int number, Duration time) throws InterruptedException {
		this.servers.awaitFree();
		this.servers.node(number).kill();
		LockFigures figures = this.rounds.measure(LOAD, this.locks, time);
		this.locks.awaitUp(ALL - 1);
		restart(number);
		return figures;
	}

	private void restart(int number) {
		this.servers.node(number).restart();
		this.locks.awaitUp(ALL);
	}

	/** The first acquisition after a node was paused. */
	private void acquirePaused(int number) throws Exception {
		this.servers.pause(number);
		long start = System.nanoTime();
		OurLease lease = acquire("bench:paused");
		this.acquiredPaused.add(millisSince(start));
		if (lease.lease().outcomes().get(this.servers.name(number)) == NodeOutcome.ACQUIRED) {
			throw new IllegalStateException("The node that stands still has voted");
		}
		get(lease.release());
		resume(number);
	}

	/** A release of a lock that was acquired before a node was paused. */
	private void releasePaused(int number) throws Exception {
		OurLease lease = acquire("bench:paused");
		// The node's vote may come after the majority's. A node without the key is not
		// asked to release it.
		Awaitility.await().until(() -> lease.lease().outcomes().get(this.servers.name(number)) == NodeOutcome.ACQUIRED);
		this.servers.pause(number);
		long start = System.nanoTime();
		get(lease.release());
		this.releasedPaused.add(millisSince(start));
		resume(number);
	}

	/**
	 * Waits until the silence of the node was noticed, so that the next measurement does
	 * not begin with it.
	 */
	private void resume(int number) {
		this.locks.awaitUp(ALL - 1);
		this.servers.node(number).resume();
		this.locks.awaitUp(ALL);
	}

	private void threeDead(int number) throws Exception {
		List<Integer> dead = List.of(number, number + 1, number + 2);
		dead.forEach((node) -> this.servers.node(node).kill());
		this.attempts.set(0);
		long start = System.nanoTime();
		try {
			get(this.locks.acquire("bench:dead", LockContestant.WAIT));
			throw new IllegalStateException("Acquired with three of five nodes dead");
		}
		catch (ExecutionException ex) {
			if (!(ex.getCause() instanceof NoQuorum)) {
				throw new IllegalStateException("Refused, but not for want of a majority", ex);
			}
		}
		double millis = millisSince(start);
		this.refused.add(millis);
		this.attemptRates.add(this.attempts.get() * 1000 / millis);
		dead.forEach((node) -> this.servers.node(node).restart());
		this.locks.awaitUp(ALL);
	}

	private OurLease acquire(String resource) throws Exception {
		if (get(this.locks.acquire(resource, Duration.ZERO)) instanceof OurLease lease) {
			return lease;
		}
		throw new IllegalStateException(resource + " was refused, which nobody else wants");
	}

	private static <T extends @Nullable Object> T get(CompletableFuture<T> future) throws Exception {
		return future.get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
	}

	private static double millisSince(long start) {
		return (System.nanoTime() - start) / 1e6;
	}

	void report(LockReport report) {
		String name = this.locks.name();
		report.addRepeated(this.rounds.repeated());
		PairedRounds dead = new PairedRounds(this.oneDead, this.healthy);
		report.add(LOAD + ", all up", name, this.healthy);
		report.add(LOAD + ", one dead", name, this.oneDead);
		report.add(Figure.of(name + ", one dead: acquire p99 of healthy", "×", dead.ratios(LockFigures::acquire99))
			.atMost(MOST_DEAD));
		report.add(Figure.of(name + ", one dead: release p99 of healthy", "×", dead.ratios(LockFigures::release99))
			.atMost(MOST_DEAD));
		report.add(Figure.of(name + ", one paused: acquire", "ms", this.acquiredPaused).neverAbove(MOST_PAUSED));
		report.add(Figure.of(name + ", one paused: release", "ms", this.releasedPaused).neverAbove(MOST_RELEASE));
		report.add(Figure.of(name + ", three dead: refused after", "ms", this.refused)
			.neverAbove(LockContestant.WAIT.toMillis()));
		report.add(Figure.of(name + ", three dead: attempts", "/s", this.attemptRates).neverAbove(MOST_ATTEMPTS));
	}

	@Override
	public void close() {
		this.locks.close();
	}

}
