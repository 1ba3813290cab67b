package live.retwis.account;

import java.util.stream.Stream;

import live.retwis.account.BrokenWrite.Scene;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A write of several steps is broken off at each of its commands: the client goes away,
 * or the instance is killed. This happens before the command arrives, or when its answer
 * is on the way.
 */
@Timeout(600)
class BrokenOffChaos {

	/** More commands than any of the writes sends. Workers send commands too. */
	private static final int MOST = 20;

	static Stream<Arguments> writes() {
		return Stream.of("redisson", "parallel")
			.flatMap((engine) -> Stream.of(BrokenWrite.values()).map((write) -> Arguments.of(engine, write)));
	}

	@ParameterizedTest
	@MethodSource("writes")
	void itIsWholeOrNothingWhenTheClientGoesAway(String engine, BrokenWrite write) {
		assertBreaksOffAtEachCommand(engine, write, false);
	}

	@ParameterizedTest
	@MethodSource("writes")
	void itIsWholeOrNothingWhenTheInstanceIsKilled(String engine, BrokenWrite write) {
		assertBreaksOffAtEachCommand(engine, write, true);
	}

	private static void assertBreaksOffAtEachCommand(String engine, BrokenWrite write, boolean kill) {
		try (KillScene scene = new KillScene(engine)) {
			for (boolean replied : new boolean[] { true, false }) {
				assertThat(breakOff(scene, write, replied, kill)).as("commands, %s", replied ? "done" : "not done")
					.isGreaterThanOrEqualTo(write.commands());
			}
		}
	}

	/**
	 * Breaks off at one command after the other.
	 * @return the number of commands
	 */
	private static int breakOff(KillScene scene, BrokenWrite write, boolean replied, boolean kill) {
		int commands = 0;
		while (commands < MOST) {
			DoomedInstance victim = scene.victim();
			try (Scene people = Scene.of(scene.survivor(), victim.data(), victim.origin(), write, kill)) {
				boolean met = write.breakOff(people, commands + 1, replied, (waits) -> {
					if (kill) {
						scene.kill();
					}
					else {
						waits.cancel(true);
					}
				});
				if (!met) {
					break;
				}
				commands++;
			}
		}
		return commands;
	}

}
