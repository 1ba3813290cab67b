package live.retwis.account;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Registrations and log-outs at the same moment on two instances.
 * {@link AccountRaceChaos} plays more rounds, and lets lock nodes fail.
 */
@Timeout(90)
class AccountRaceTests {

	private static final int ROUNDS = 3;

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@ValueSource(strings = { "redisson", "parallel" })
	void oneUserGetsTheNameAndManyLogOutsCountOnce(String engine) {
		try (InstancesWithLockNodes instances = new InstancesWithLockNodes(engine)) {
			RegisterRace registering = new RegisterRace(instances);
			LogoutRace loggingOut = new LogoutRace(instances);
			IntStream.range(0, ROUNDS).forEach((round) -> {
				registering.run();
				loggingOut.run();
			});
		}
	}

}
