package live.retwis.locks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import live.retwis.locks.lab.node.SettableNodeClock;
import live.retwis.locks.lab.node.TestClocks;
import live.retwis.locks.nodes.proxy.Interception;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The wall clock of a program is set back while the program waits for a node.
 */
class ClockStepTests extends FiveProxiedNodes {

	private static final Duration STEP = Duration.ofSeconds(20);

	private static final Duration WAIT = Duration.ofSeconds(1);

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@EnumSource(Engine.class)
	void settingTheClockBackDoesNotProlongAWait(Engine engine, @TempDir Path directory) throws Exception {
		TestClocks.assumePossible();
		acquire(this.nodes.open(engine));
		TestNodes.await().until(() -> !this.nodes.owners(NAME).contains(""));
		SettableNodeClock clock = SettableNodeClock.create(directory, 1);
		Interception answer = this.proxied.proxy(1).at(ProxiedNodes.ACQUIRE).nth(1).holdReply();
		Process program = start(engine, clock, directory.resolve("log").toFile());
		try {
			answer.awaitMet();
			clock.set(STEP.negated(), 0);
			answer.close();
			assertThat(program.waitFor(BOUND.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
			assertThat(program.exitValue()).isZero();
		}
		finally {
			program.destroyForcibly();
		}
	}

	private Process start(Engine engine, SettableNodeClock clock, File log) throws IOException {
		ProcessBuilder program = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-cp", System.getProperty("java.class.path"), Program.class.getName(), engine.name(),
				String.join(",", this.proxied.uris()));
		program.environment().putAll(clock.environment());
		return program.redirectErrorStream(true).redirectOutput(log).start();
	}

	/**
	 * Asks for a lock that is taken. Ends with 0 if the lock is refused long before the
	 * clock shows its earlier time again.
	 */
	static final class Program {

		private Program() {
		}

		public static void main(String... args) {
			RedLock locks = RedLock.open(
					new LockSettings(List.of(args[1].split(",")), PATIENT, Engine.valueOf(args[0])), FenceRegister.NONE,
					LockListener.NONE);
			TestNodes.awaitAllUp(locks);
			long wallClock = System.currentTimeMillis();
			long start = System.nanoTime();
			boolean taken = locks.withLock(NAME, LockOptions.of(LEASE, WAIT), (lease) -> Mono.just(false))
				.onErrorReturn(LockTaken.class, true)
				.blockOptional(STEP.multipliedBy(2))
				.orElse(false);
			boolean inTime = System.nanoTime() - start < STEP.dividedBy(2).toNanos();
			boolean steppedBack = System.currentTimeMillis() < wallClock;
			System.exit((taken && inTime && steppedBack) ? 0 : 1);
		}

	}

}
