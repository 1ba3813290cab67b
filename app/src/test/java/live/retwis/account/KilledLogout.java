package live.retwis.account;

import live.retwis.account.KillScene.Death;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A log-out whose instance was killed. Afterwards either all sessions of the user are
 * over, or all are still valid.
 */
record KilledLogout(KillScene scene) {

	/** The held command arrives after the user has come back. */
	void diesAt(LogoutStep step) {
		Devices devices = signIn();
		Death death = kill(step, devices);
		assertThat(devices.areSignedIn()).isEqualTo(!step.isCommitted());
		endAll(devices);
		assertThat(death.ago()).isLessThan(KillScene.WITHIN);
		Visitor newer = Visitor.signedIn(this.scene.survivor(), devices.laptop().name());
		this.scene.letArrive(death);
		assertThat(newer.isSignedIn()).as("the newer session").isTrue();
		assertThat(devices.areSignedIn()).isFalse();
	}

	/** The held command arrives after the death of its sender, before the lease ends. */
	void diesAtAndArrives(LogoutStep step) {
		Devices devices = signIn();
		Death death = kill(step, devices);
		this.scene.letArrive(death);
		assertThat(devices.areSignedIn() && step.isCommitted()).isFalse();
		endAll(devices);
		assertThat(death.ago()).isLessThan(KillScene.WITHIN);
	}

	/** Signs a user in at both instances. */
	Devices signIn() {
		Site site = this.scene.survivor();
		Visitor laptop = Visitor.registered(site);
		Visitor phone = Visitor.signedIn(this.scene.victim().origin(), laptop.name());
		phone.get("/home");
		return new Devices(site, laptop, phone);
	}

	private Death kill(LogoutStep step, Devices devices) {
		Death death = this.scene.killAt(step.of(devices.laptop().id()),
				() -> devices.phone().submit("/logout").status());
		assertThat(death.status()).as("no answer before its last command").isZero();
		return death;
	}

	/** The user comes back and logs out again, until that has ended every session. */
	void endAll(Devices devices) {
		Site site = this.scene.survivor();
		Awaitility.await("a log-out that ends every session")
			.atMost(KillScene.WITHIN.multipliedBy(2))
			.until(() -> endsAll(Visitor.signedIn(site, devices.laptop().name())));
		assertThat(devices.areSignedIn()).isFalse();
	}

	private static boolean endsAll(Visitor again) {
		again.get("/home");
		Answer answer = again.submit("/logout");
		assertThat(answer.status()).isEqualTo(303);
		assertThat(again.isSignedIn()).isFalse();
		return answer.location().equals("/");
	}

	/**
	 * Two devices of one user.
	 *
	 * @param site the instance that survives
	 * @param laptop device that is signed in there
	 * @param phone device at the instance that is killed
	 */
	record Devices(Site site, Visitor laptop, Visitor phone) {

		/** Asks the surviving instance. Both devices must be signed in, or none. */
		boolean areSignedIn() {
			boolean signedIn = this.laptop.isSignedIn();
			int status = Visitor.of(this.site).get("/home", "Cookie", "auth=" + this.phone.cookie("auth")).status();
			assertThat(status).as("as on the other device").isEqualTo(signedIn ? 200 : 303);
			return signedIn;
		}

	}

}
