package live.retwis.locks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import live.retwis.locks.NodeState.Health;
import live.retwis.locks.nodes.proxy.FaultHandle;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nodes that die, are paused, answer with errors or do not answer, and come back.
 */
class NodeFaultsTests extends FiveNodes {

	private static final Duration TIMEOUT = TestNodes.NODE_TIMEOUT;

	/**
	 * An operation that is faster than this has not waited for a node that does not
	 * answer.
	 */
	private static final Duration NO_TIMEOUT = TIMEOUT.minusMillis(20);

	/** An operation that is faster than this has waited for one such node at most. */
	private static final Duration ONE_TIMEOUT = TIMEOUT.plus(NO_TIMEOUT);

	private final List<AutoCloseable> others = new ArrayList<>();

	@AfterEach
	void closeOthers() throws Exception {
		heal();
		for (AutoCloseable other : this.others) {
			other.close();
		}
	}

	private static Health health(RedLock locks, int number) {
		return locks.nodes().get(number - 1).health();
	}

	private static void awaitHealth(RedLock locks, int number, Health health) {
		TestNodes.await().until(() -> health(locks, number) == health);
	}

	private static NodeOutcome outcome(Lease lease, int number) {
		return List.copyOf(lease.outcomes().values()).get(number - 1);
	}

	/** Acquires and releases a lock, and returns the time that this took. */
	private static Duration cycle(RedLock locks) {
		return StepVerifier.create(locks.withLock(NAME, AT_ONCE, (lease) -> Mono.just("done")))
			.expectNext("done")
			.expectComplete()
			.verify(BOUND);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void oneOrTwoDeadNodesDelayNothingAndVoteAgainLater(Engine engine) {
		RedLock locks = TestNodes.awaitAllUp(open(engine, Map.of()));
		cycle(locks);
		this.nodes.kill(1);
		cycle(locks);
		this.nodes.kill(4);
		cycle(locks);
		awaitHealth(locks, 1, Health.NOT_REACHED);
		awaitHealth(locks, 4, Health.NOT_REACHED);
		for (int tries = 0; tries < 20; tries++) {
			assertThat(cycle(locks)).isLessThan(NO_TIMEOUT);
		}
		Lease lease = acquire(locks);
		assertThat(outcome(lease, 1)).isEqualTo(NodeOutcome.REFUSED);
		assertThat(outcome(lease, 2)).isEqualTo(NodeOutcome.ACQUIRED);
		lease.release().block(BOUND);
		this.nodes.restart(1);
		this.nodes.restart(4);
		TestNodes.awaitAllUp(locks);
		Lease whole = acquire(locks);
		TestNodes.await().untilAsserted(() -> assertThat(whole.outcomes()).doesNotContainValue(NodeOutcome.NOT_ASKED));
		TestNodes.await()
			.untilAsserted(
					() -> assertThat(this.nodes.owners(NAME)).as(whole.outcomes().toString()).doesNotContain(""));
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aNodeThatRefusesScriptsIsNotUpAndIsNotFlooded(Engine engine) {
		RedLock locks = TestNodes.awaitAllUp(open(engine, Map.of()));
		try {
			this.nodes.ask(2, "ACL SETUSER default -eval");
			TestNodes.await().until(() -> {
				cycle(locks);
				return health(locks, 2) == Health.NOT_REACHED;
			});
			assertThat(locks.nodes().get(1).reason()).contains("eval");
			for (int times = 0; times < 20; times++) {
				cycle(locks);
			}
			assertThat(health(locks, 2)).isEqualTo(Health.NOT_REACHED);
		}
		finally {
			this.nodes.ask(2, "ACL SETUSER default +eval");
		}
		TestNodes.awaitAllUp(locks);
	}

	/** Each client of a node has a timer, which is no daemon. */
	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@EnumSource(Engine.class)
	void locksThatAreClosedWhileANodeHangsLeaveNoThread(Engine engine) {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		for (int times = 0; times < 3; times++) {
			RedLock locks = TestNodes.awaitAllUp(open(engine, Map.of()));
			cycle(locks);
			this.nodes.pause(5);
			try {
				TestNodes.await().until(() -> {
					cycle(locks);
					return health(locks, 5) == Health.NOT_REACHED;
				});
				locks.close().block(BOUND);
				TestNodes.await()
					.untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
						.filteredOn((thread) -> !before.contains(thread) && thread.getName().startsWith("redisson"))
						.isEmpty());
			}
			finally {
				this.nodes.resume(5);
			}
		}
	}

	@ParameterizedTest
	@Tag("slow")
	@EnumSource(Engine.class)
	void aPausedNodeDelaysAnAcquisitionByOneTimeOutAtMostAndNoRelease(Engine engine) {
		RedLock locks = TestNodes.awaitAllUp(open(engine, Map.of()));
		cycle(locks);
		this.nodes.pause(5);
		long start = System.nanoTime();
		Lease lease = acquire(locks);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(ONE_TIMEOUT);
		assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(8));
		awaitHealth(locks, 5, Health.NOT_REACHED);
		start = System.nanoTime();
		lease.release().block(BOUND);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(NO_TIMEOUT);
		assertThat(cycle(locks)).isLessThan(NO_TIMEOUT);
		this.nodes.resume(5);
		TestNodes.awaitAllUp(locks);
		// Commands that were sent before the pause took effect, and so did the second
		// release.
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
	}

	@ParameterizedTest
	@Tag("slow")
	@EnumSource(Engine.class)
	void twoPausedNodesDelayByOneTimeOutEachAtMost(Engine engine) {
		RedLock locks = TestNodes.awaitAllUp(open(engine, Map.of()));
		cycle(locks);
		this.nodes.pause(1, 3);
		assertThat(cycle(locks)).isLessThan(ONE_TIMEOUT.plus(TIMEOUT));
		awaitHealth(locks, 1, Health.NOT_REACHED);
		awaitHealth(locks, 3, Health.NOT_REACHED);
		assertThat(cycle(locks)).isLessThan(NO_TIMEOUT);
		this.nodes.resume(1);
		this.nodes.resume(3);
		TestNodes.awaitAllUp(locks);
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
	}

	@ParameterizedTest
	@Tag("slow")
	@EnumSource(Engine.class)
	void aReleaseDoesNotWaitForANodeThatWasPausedMeanwhile(Engine engine) {
		RedLock locks = TestNodes.awaitAllUp(open(engine, Map.of()));
		Lease lease = acquire(locks);
		TestNodes.await().until(() -> !this.nodes.owners(NAME).contains(""));
		this.nodes.pause(1);
		long start = System.nanoTime();
		lease.release().block(BOUND);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(NO_TIMEOUT);
		awaitHealth(locks, 1, Health.NOT_REACHED);
		this.nodes.resume(1);
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
	}

	@ParameterizedTest
	@Tag("slow")
	@EnumSource(Engine.class)
	void withoutAMajorityALockIsRefusedAfterTheWaitAndAFewTries(Engine engine) {
		RecordingListener heard = new RecordingListener();
		RedLock locks = this.nodes.open(engine, FenceRegister.NONE, heard);
		cycle(locks);
		this.nodes.kill(1, 3);
		this.nodes.pause(5);
		heard.attempts.clear();
		Duration wait = Duration.ofSeconds(3);
		Duration elapsed = StepVerifier
			.create(locks.withLock(NAME, LockOptions.of(LEASE, wait), (lease) -> Mono.just("never")))
			.expectError(NoQuorum.class)
			.verify(BOUND);
		assertThat(elapsed).isLessThan(wait.plus(TIMEOUT));
		assertThat(heard.attempts).hasSizeBetween(2, 20 * (int) wait.toSeconds())
			.allMatch((attempt) -> attempt.result() == LockAttempt.Result.NO_QUORUM);
		this.nodes.resume(5);
		awaitHealth(locks, 5, Health.UP);
		cycle(locks);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aNodeThatBecomesAReplicaHasNoVoteUntilItIsAMasterAgain(Engine engine) {
		RedLock locks = TestNodes.awaitAllUp(open(engine, Map.of()));
		this.nodes.ask(2, "REPLICAOF 127.0.0.1 " + this.nodes.node(1).port());
		Lease lease = acquire(locks);
		TestNodes.await().until(() -> outcome(lease, 2) == NodeOutcome.ERROR);
		awaitHealth(locks, 2, Health.WRONG);
		assertThat(locks.nodes().get(1).reason()).contains("is a replica");
		lease.release().block(BOUND);
		this.nodes.ask(2, "REPLICAOF NO ONE");
		awaitHealth(locks, 2, Health.UP);
		cycle(locks);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aNodeThatWantsAnUnknownPasswordHasNoVote(Engine engine) {
		RedLock locks = TestNodes.awaitAllUp(open(engine, Map.of()));
		cycle(locks);
		this.nodes.ask(2, "CONFIG SET requirepass unknown");
		InlineCommand.ask(this.nodes.node(2).port(), "AUTH unknown\r\nCLIENT KILL TYPE normal SKIPME yes");
		awaitHealth(locks, 2, Health.NOT_REACHED);
		assertThat(cycle(locks)).isLessThan(ONE_TIMEOUT);
		TestNodes.await().untilAsserted(() -> assertThat(locks.nodes().get(1).reason()).contains("NOAUTH"));
		InlineCommand.ask(this.nodes.node(2).port(), "AUTH unknown\r\nCONFIG SET requirepass \"\"");
		awaitHealth(locks, 2, Health.UP);
	}

	@ParameterizedTest
	@Tag("slow")
	@EnumSource(Engine.class)
	void aNodeThatLoadsItsDataHasNoVoteYet(Engine engine) throws Exception {
		// While it loads, the node answers once for each kibibyte. A short time-out makes
		// clients try it during
		// that time.
		try (TestNodes slow = TestNodes.start(1, "save 3600 1", "key-load-delay 20000",
				"loading-process-events-interval-bytes 1024", "rdbcompression no")) {
			for (int key = 0; key < 100; key++) {
				slow.ask(1, "SET key:" + key + " " + "x".repeat(2000));
			}
			slow.ask(1, "SAVE");
			List<String> uris = new ArrayList<>(this.nodes.uris());
			uris.set(0, slow.uris().get(0));
			RedLock locks = TestNodes
				.awaitAllUp(this.nodes.open(new LockSettings(uris, LockSettings.NODE_TIMEOUT, engine),
						FenceRegister.NONE, LockListener.NONE, TimeSource.SYSTEM));
			slow.kill(1);
			Thread restart = new Thread(() -> slow.restart(1));
			restart.start();
			TestNodes.await().untilAsserted(() -> assertThat(locks.nodes().get(0).reason()).contains("oading"));
			cycle(locks);
			restart.join(BOUND.toMillis());
			awaitHealth(locks, 1, Health.UP);
		}
	}

	@ParameterizedTest
	@Tag("slow")
	@EnumSource(Engine.class)
	void aNodeThatStopsAnsweringCostsOneTimeOutAndVotesAgainLater(Engine engine) {
		FaultProxy proxy = proxy(1);
		RedLock locks = TestNodes.awaitAllUp(open(engine, Map.of(1, proxy.port())));
		cycle(locks);
		FaultHandle hole = proxy.blackHole();
		this.others.add(hole);
		assertThat(cycle(locks)).isLessThan(ONE_TIMEOUT);
		awaitHealth(locks, 1, Health.NOT_REACHED);
		assertThat(cycle(locks)).isLessThan(NO_TIMEOUT);
		hole.close();
		awaitHealth(locks, 1, Health.UP);
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
		cycle(locks);
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void startsWithUnreachableNodesAndFindsThemLater(Engine engine) {
		FaultProxy refusing = proxy(1);
		FaultProxy swallowing = proxy(2);
		FaultHandle cut = refusing.cut();
		FaultHandle hole = swallowing.blackHole();
		try (ConnectionNoise noise = new ConnectionNoise()) {
			long start = System.nanoTime();
			RedLock locks = open(engine, Map.of(1, refusing.port(), 2, swallowing.port()));
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TIMEOUT);
			locks.ready().block(BOUND);
			TestNodes.await()
				.untilAsserted(() -> assertThat(locks.nodes()).extracting(NodeState::health)
					.containsExactly(Health.NOT_REACHED, Health.NOT_REACHED, Health.UP, Health.UP, Health.UP));
			assertThat(cycle(locks)).isLessThan(NO_TIMEOUT);
			assertThat(noise.events()).isEmpty();
			cut.close();
			hole.close();
			TestNodes.awaitAllUp(locks);
			cycle(locks);
		}
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aNodeThatStopsAnsweringWhileItIsExaminedIsNotUp(Engine engine) {
		FaultProxy proxy = proxy(1);
		try (Interception held = proxy.at(SentCommand.named("CONFIG")).holdReply()) {
			RedLock locks = open(engine, Map.of(1, proxy.port()));
			// Redisson's client may close a connection whose command has timed out.
			TestNodes.await()
				.untilAsserted(() -> assertThat(locks.nodes().get(0).reason()).isIn("does not answer",
						"closed the connection"));
			held.close();
			TestNodes.awaitAllUp(locks);
		}
	}

	private FaultProxy proxy(int number) {
		FaultProxy proxy = FaultProxy.to("127.0.0.1", this.nodes.node(number).port());
		this.others.add(proxy);
		return proxy;
	}

	private RedLock open(Engine engine, Map<Integer, Integer> proxies) {
		List<String> uris = new ArrayList<>(this.nodes.uris());
		proxies.forEach((number, port) -> uris.set(number - 1, "redis://127.0.0.1:" + port));
		return this.nodes.open(new LockSettings(uris, TIMEOUT, engine), FenceRegister.NONE, LockListener.NONE,
				TimeSource.SYSTEM);
	}

}
