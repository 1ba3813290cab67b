package live.retwis.locks.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import live.retwis.locks.Engine;
import live.retwis.locks.LockListener;
import live.retwis.locks.bench.LockContestant.Held;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Measures the times to acquire and to release, and the cycles of both per second. It
 * compares the two engines with a plain RedissonRedLock, on five real nodes. All callers
 * are in this JVM. It also measures the cost of failing nodes. {@code -Dbench.rounds} (5)
 * is the number of rounds and {@code -Dbench.seconds} (2) the length of a round. A figure
 * beyond its bound is reported. A lock that should be granted and is refused fails the
 * run.
 */
@TestInstance(Lifecycle.PER_CLASS)
class LockBench {

	private static final Duration WARM_UP = Duration.ofSeconds(2);

	/** Longer round trip to a node that is far away. */
	private static final Duration FAR = Duration.ofMillis(30);

	/** Cycles whose commands are counted. */
	private static final int CYCLES = 200;

	private static final int BOUND = 10;

	private final int rounds = Integer.getInteger("bench.rounds", 5);

	private final Duration round = Duration.ofSeconds(Integer.getInteger("bench.seconds", 2));

	private final LockReport report = new LockReport();

	@Test
	void locksBesideAPlainRedissonRedLock() throws Exception {
		try (FiveServers servers = new FiveServers();
				LockContestant raw = new PlainRedLock(servers);
				LockContestant redisson = new OurRedLock(servers, Engine.REDISSON, LockListener.NONE);
				LockContestant parallel = new OurRedLock(servers, Engine.PARALLEL, LockListener.NONE)) {
			Race race = run(servers, List.of(raw, redisson, parallel), LockLoad.ALL);
			race.report(this.report);
			LockTargets.of(race, LockLoad.ALL, "").forEach(this.report::add);
			for (LockContestant contestant : List.of(raw, redisson, parallel)) {
				commands(servers, contestant);
			}
		}
	}

	/** The first node: in its turn, each acquisition comes to it. */
	@Test
	void locksWithOneNodeFarAway() throws Exception {
		try (FiveServers servers = new FiveServers()) {
			servers.moveAway(0, FAR);
			try (LockContestant raw = new PlainRedLock(servers);
					LockContestant redisson = new OurRedLock(servers, Engine.REDISSON, LockListener.NONE);
					LockContestant parallel = new OurRedLock(servers, Engine.PARALLEL, LockListener.NONE)) {
				Race race = run(servers, List.of(raw, redisson, parallel), LockLoad.FEW);
				LockTargets.of(race, LockLoad.FEW, ", one node 30 ms away").forEach(this.report::add);
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void locksWhileNodesFail(Engine engine) throws Exception {
		try (FiveServers servers = new FiveServers();
				FailingNodesBench faults = new FailingNodesBench(servers, engine)) {
			faults.warmUp(this.round);
			for (int i = 0; i < this.rounds; i++) {
				faults.round(i, this.round);
			}
			faults.report(this.report);
		}
	}

	@AfterAll
	void report() throws IOException {
		this.report.write(Path.of("target", "bench"));
	}

	private Race run(FiveServers servers, List<LockContestant> contestants, List<LockLoad> loads) throws Exception {
		Race race = new Race(servers, contestants);
		race.warmUp(loads, WARM_UP);
		for (int i = 0; i < this.rounds; i++) {
			race.round(loads, this.round);
		}
		return race;
	}

	/** Runs one cycle after the other. */
	private void commands(FiveServers servers, LockContestant contestant) throws Exception {
		servers.forgetCommands();
		for (int i = 0; i < CYCLES; i++) {
			Held held = contestant.acquire("bench:commands", Duration.ZERO).get(BOUND, TimeUnit.SECONDS);
			Objects.requireNonNull(held, contestant.name()).release().get(BOUND, TimeUnit.SECONDS);
		}
		this.report.addCommands(contestant.name(), servers.commands(), CYCLES);
	}

}
