package live.retwis.account;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import live.retwis.account.KillScene.Death;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A registration whose instance was killed. Afterwards there is a complete account, or
 * the name is free again within a lease.
 */
record KilledRegistration(KillScene scene) {

	/**
	 * On a busy machine a sweep may find no quorum, and the next one comes later. How
	 * long a registration may be open is asserted where its instance is killed.
	 */
	private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(60);

	private static final String HEIRS_PASSWORD = "quite another one";

	/** The held command arrives only after somebody has got the name. */
	void diesAt(RegisterStep step) {
		String name = Visitor.freshName();
		Death death = kill(step, name);
		assertThat(settle(name, death)).isEqualTo(step.isCommitted());
		Map<String, String> before = whole(name);
		this.scene.letArrive(death);
		assertThat(whole(name)).isEqualTo(before);
	}

	/** The held command arrives after the death of its sender, before the lease ends. */
	void diesAtAndArrives(RegisterStep step) {
		String name = Visitor.freshName();
		Death death = kill(step, name);
		this.scene.letArrive(death);
		boolean whole = settle(name, death);
		assertThat(whole || !step.isCommitted()).isTrue();
		whole(name);
	}

	/**
	 * Waits until earlier registrations are finished. The next victim may finish one of
	 * them, and would then be killed at a command of that one.
	 */
	private Death kill(RegisterStep step, String name) {
		Awaitility.await().atMost(LONGEST_RECOVERY).until(() -> StoredIntents.open(this.scene.survivor()).isEmpty());
		Visitor visitor = Visitor.at(this.scene.victim().origin());
		visitor.get("/register");
		Death death = this.scene.killAt(step.of(name), () -> visitor.register(name, Visitor.PASSWORD).status());
		assertThat(death.status()).as("no answer before its last command").isZero();
		return death;
	}

	/**
	 * Lets another user try to register the name until somebody has it.
	 * @return whether the killed registration had got the name
	 */
	boolean settle(String name, Death death) {
		Site site = this.scene.survivor();
		Visitor heir = Visitor.of(site);
		heir.get("/register");
		int status = Awaitility.await("an owner of the name " + name)
			.atMost(KillScene.WITHIN.multipliedBy(2))
			.until(() -> heir.register(name.toUpperCase(Locale.ROOT), HEIRS_PASSWORD).status(),
					(answered) -> answered != 503);
		assertThat(status).isIn(303, 409);
		assertThat(death.ago()).isLessThan(KillScene.WITHIN);
		boolean free = status == 303;
		assertThat(signIn(name, HEIRS_PASSWORD)).isEqualTo(free ? 303 : 401);
		assertThat(signIn(name, Visitor.PASSWORD)).isEqualTo(free ? 401 : 303);
		return !free;
	}

	private int signIn(String name, String password) {
		Visitor visitor = Visitor.of(this.scene.survivor());
		visitor.get("/login");
		return visitor.signIn(name, password).status();
	}

	/** The complete user of the name. */
	Map<String, String> whole(String name) {
		Site site = this.scene.survivor();
		Map<String, String> user = site.redis().hgetall("user:" + site.redis().get("username:" + name));
		assertThat(user)
			.containsOnlyKeys(List.of("username", "name", "bio", "password", "auth", "created", "state", "active"))
			.containsEntry("auth", "1");
		assertThat(user.get("username")).isEqualToIgnoringCase(name);
		return user;
	}

}
