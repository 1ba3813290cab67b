package live.retwis.account;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A registration whose instance is stopped (SIGSTOP) for longer than its lease. It
 * continues when another user has got the name.
 */
record SleepingRegistration(KillScene scene) {

	private static final String HEIRS_PASSWORD = "quite another one";

	/** The held command arrives when the instance runs again. */
	void sleepsAt(RegisterStep step) {
		String name = Visitor.freshName();
		DoomedInstance sleeper = this.scene.victim();
		Visitor visitor = Visitor.at(sleeper.origin());
		visitor.get("/register");
		CompletableFuture<Integer> late;
		Map<String, String> heirs;
		try (Interception held = step.of(name).at(List.of(sleeper.data())).get(0)) {
			late = CompletableFuture.supplyAsync(() -> visitor.register(name, Visitor.PASSWORD).status());
			held.awaitMet();
			sleeper.process().pause();
			registerHeir(name);
			heirs = user(name);
			sleeper.process().resume();
		}
		assertThat(late.orTimeout(20, TimeUnit.SECONDS).join()).isIn(409, 503);
		assertThat(user(name)).isEqualTo(heirs);
		assertThat(signIn(name, HEIRS_PASSWORD)).isEqualTo(303);
		assertThat(signIn(name, Visitor.PASSWORD)).isEqualTo(401);
	}

	private void registerHeir(String name) {
		Visitor heir = Visitor.of(this.scene.survivor());
		heir.get("/register");
		Awaitility.await("the name is free when the lease is over")
			.atMost(KillScene.WITHIN.plus(Duration.ofSeconds(5)))
			.until(() -> heir.register(name, HEIRS_PASSWORD).status() == 303);
	}

	private Map<String, String> user(String name) {
		Site site = this.scene.survivor();
		return site.redis().hgetall("user:" + site.redis().get("username:" + name));
	}

	private int signIn(String name, String password) {
		Visitor visitor = Visitor.of(this.scene.survivor());
		visitor.get("/login");
		return visitor.signIn(name, password).status();
	}

}
