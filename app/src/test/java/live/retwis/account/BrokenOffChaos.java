package live.retwis.account;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
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

	private static final String REDISSON = "redisson";

	/** More commands than any of the writes sends. Workers send commands too. */
	private static final int MOST = 20;

	static Stream<Arguments> writes() {
		return Stream.of(REDISSON, "parallel")
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

	static Stream<Arguments> guardedWrites() {
		return Stream.of(REDISSON, "parallel")
			.flatMap((engine) -> Stream
				.of(BrokenWrite.REGISTRATION, BrokenWrite.LOGOUT, BrokenWrite.PASSWORD, BrokenWrite.CLOSING)
				.map((write) -> Arguments.of(engine, write)));
	}

	@ParameterizedTest
	@MethodSource("guardedWrites")
	void itIsWholeOrNothingWhenTheClientGoesAwayAtACommandToTheLockNodes(String engine, BrokenWrite write) {
		breakOffAtLockNodes(engine, write, false);
	}

	@ParameterizedTest
	@MethodSource("guardedWrites")
	void itIsWholeOrNothingWhenTheInstanceIsKilledAtACommandToTheLockNodes(String engine, BrokenWrite write) {
		breakOffAtLockNodes(engine, write, true);
	}

	private static void breakOffAtLockNodes(String engine, BrokenWrite write, boolean kill) {
		List<Function<String, HeldCommand>> steps = new ArrayList<>(
				List.of(HeldCommand::taking, HeldCommand::releasing));
		if (engine.equals(REDISSON)) {
			steps.add(HeldCommand::confirming);
		}
		try (KillScene scene = new KillScene(engine)) {
			for (Function<String, HeldCommand> step : steps) {
				for (boolean replied : new boolean[] { true, false }) {
					try (Scene people = people(scene, write, kill)) {
						HeldCommand moment = step.apply(write.guarded(people).orElseThrow());
						assertThat(write.breakOff(people, moment, scene.majority(), replied, end(scene, kill)))
							.as("met %s", moment)
							.isTrue();
					}
				}
			}
		}
	}

	private static Scene people(KillScene scene, BrokenWrite write, boolean kill) {
		DoomedInstance victim = scene.victim();
		return Scene.of(scene.survivor(), victim.data(), victim.origin(), write, kill);
	}

	/** Kills the instance, or lets the client go away. */
	private static Consumer<Future<?>> end(KillScene scene, boolean kill) {
		return (waits) -> {
			if (kill) {
				scene.kill();
			}
			else {
				waits.cancel(true);
			}
		};
	}

	/**
	 * Breaks off at one command after the other.
	 * @return the number of commands
	 */
	private static int breakOff(KillScene scene, BrokenWrite write, boolean replied, boolean kill) {
		int commands = 0;
		while (commands < MOST) {
			try (Scene people = people(scene, write, kill)) {
				if (!write.breakOff(people, commands + 1, replied, end(scene, kill))) {
					break;
				}
				commands++;
			}
		}
		return commands;
	}

}
