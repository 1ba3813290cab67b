package live.retwis.account;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * An instance is killed at the commit of a registration. {@link KilledRegistrationChaos}
 * does so at every command.
 */
@Timeout(90)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KilledRegistrationTests {

	private final KillScene scene = new KillScene("redisson");

	private final KilledRegistration registration = new KilledRegistration(this.scene);

	@AfterAll
	void close() {
		this.scene.close();
	}

	@Test
	void aNameIsFreeAgainWithinALeaseWhenItsInstanceDiesBeforeTheCommit() {
		this.registration.diesAt(RegisterStep.COMMIT);
	}

	@Test
	void anAccountIsWholeWhenItsInstanceDiesBeforeItHearsOfTheCommit() {
		this.registration.diesAt(RegisterStep.COMMITTED);
	}

}
