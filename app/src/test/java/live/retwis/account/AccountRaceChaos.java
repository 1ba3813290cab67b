package live.retwis.account;

import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many rounds of registrations and log-outs at the same moment on two instances. In later
 * rounds one lock node is killed and another is paused at a random moment. {@code
 * -Dchaos.seed} repeats these moments.
 */
@Timeout(600)
class AccountRaceChaos {

	private static final int ROUNDS = 100;

	private static final int LOGOUT_ROUNDS = 30;

	private static final int ROUNDS_WITH_FAULTS = 15;

	/** Most of a race is over after this time. */
	private static final int LONGEST_DELAY_MILLIS = 1500;

	private final long seed = Long.getLong("chaos.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	@ParameterizedTest
	@ValueSource(strings = { "redisson", "parallel" })
	void exactlyOneUserGetsTheName(String engine) {
		try (InstancesWithLockNodes instances = new InstancesWithLockNodes(engine)) {
			RegisterRace race = new RegisterRace(instances);
			IntStream.range(0, ROUNDS).forEach((round) -> race.run());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "redisson", "parallel" })
	void manyLogOutsAtOnceMoveTheGenerationOnOnce(String engine) {
		try (InstancesWithLockNodes instances = new InstancesWithLockNodes(engine)) {
			LogoutRace race = new LogoutRace(instances);
			IntStream.range(0, LOGOUT_ROUNDS).forEach((round) -> race.run());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "redisson", "parallel" })
	void whileLockNodesFailNoTwoUsersGetANameAndNoLogOutIsHalfDone(String engine) {
		System.out.println("-Dchaos.seed=" + this.seed);
		try (InstancesWithLockNodes instances = new InstancesWithLockNodes(engine)) {
			RegisterRace registering = new RegisterRace(instances);
			LogoutRace loggingOut = new LogoutRace(instances);
			int won = 0;
			for (int round = 0; round < ROUNDS_WITH_FAULTS; round++) {
				CompletableFuture<Void> fault = strike(instances);
				won += registering.runWithFaults() ? 1 : 0;
				fault.join();
				instances.heal();
				CompletableFuture<Void> another = strike(instances);
				loggingOut.runWithFaults();
				another.join();
				instances.heal();
			}
			System.out
				.println(engine + ": " + won + " of " + ROUNDS_WITH_FAULTS + " names were won while nodes failed");
			assertThat(won).isGreaterThan(ROUNDS_WITH_FAULTS / 2);
		}
	}

	private CompletableFuture<Void> strike(InstancesWithLockNodes instances) {
		return CompletableFuture.runAsync(instances::strike,
				CompletableFuture.delayedExecutor(this.random.nextInt(LONGEST_DELAY_MILLIS), TimeUnit.MILLISECONDS));
	}

}
