package live.retwis.account;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An instance is killed at every command of a registration and of a log-out. The held
 * command arrives later: before the lease ends, or after another instance has settled
 * everything.
 */
@Timeout(90)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KilledInstanceChaos {

	private final KillScene scene = new KillScene("redisson");

	@AfterAll
	void close() {
		this.scene.close();
	}

	@ParameterizedTest
	@EnumSource
	void aRegistrationIsWholeOrNothing(RegisterStep step) {
		new KilledRegistration(this.scene).diesAt(step);
	}

	@ParameterizedTest
	@EnumSource
	void aRegistrationIsWholeOrNothingEvenIfItsLastCommandArrivesLate(RegisterStep step) {
		new KilledRegistration(this.scene).diesAtAndArrives(step);
	}

	@ParameterizedTest
	@EnumSource
	void aLogoutEndsAllSessionsOrNone(LogoutStep step) {
		new KilledLogout(this.scene).diesAt(step);
	}

	@ParameterizedTest
	@EnumSource
	void aLogoutEndsAllSessionsOrNoneEvenIfItsLastCommandArrivesLate(LogoutStep step) {
		new KilledLogout(this.scene).diesAtAndArrives(step);
	}

}
