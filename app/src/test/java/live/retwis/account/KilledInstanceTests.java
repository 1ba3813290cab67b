package live.retwis.account;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * An instance is killed or stopped at the commit of a registration and of a log-out.
 * {@link KilledInstanceChaos} does so at every command.
 */
@Timeout(90)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KilledInstanceTests {

	private final KillScene scene = new KillScene("redisson");

	@AfterAll
	void close() {
		this.scene.close();
	}

	@Test
	@Tag("long")
	@Tag("slow")
	void aNameIsFreeAgainWithinALeaseWhenItsInstanceDiesBeforeTheCommit() {
		new KilledRegistration(this.scene).diesAt(RegisterStep.COMMIT);
	}

	@Test
	@Tag("long")
	@Tag("slow")
	void anInstanceThatSleepsPastItsLeaseBetweenTheCheckAndTheCommitWritesNothing() {
		new SleepingRegistration(this.scene).sleepsAt(RegisterStep.COMMIT);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void allSessionsStayValidWhenTheInstanceDiesBeforeTheCommitOfALogOut() {
		new KilledLogout(this.scene).diesAt(LogoutStep.COMMIT);
	}

}
