package live.retwis.account;

import java.time.Duration;
import java.util.List;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.Intent;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.LockServers;
import live.retwis.testing.Simultaneous;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(120)
@ExtendWith(RedisExtension.class)
class PasswordChangeTests {

	private static final String NEW = "a better horse battery";

	private final Site site = Site.shared();

	private final Visitor visitor = Visitor.registered(this.site);

	private static Answer change(Visitor visitor, String old, String password, String password2) {
		visitor.get("/settings");
		return visitor.submit("/settings/password", "old", old, "password", password, "password2", password2);
	}

	private static Answer change(Visitor visitor, String password) {
		return change(visitor, Visitor.PASSWORD, password, password);
	}

	private static int logIn(Site site, String name, String password) {
		Visitor device = Visitor.of(site);
		device.get("/login");
		return device.signIn(name, password).status();
	}

	@Test
	void thisSessionGoesOnAllOthersEndAndOnlyTheNewPasswordLogsIn() {
		Visitor phone = Visitor.signedIn(this.site, this.visitor.name());
		Visitor stranger = Visitor.of(this.site);
		String before = "auth=" + this.visitor.cookie("auth");
		Answer answer = change(this.visitor, NEW);
		assertThat(answer.status()).isEqualTo(303);
		assertThat(this.visitor.get(answer.location()).body()).contains("Your password has been changed");
		assertThat(this.visitor.isSignedIn()).isTrue();
		assertThat(phone.isSignedIn()).isFalse();
		assertThat(stranger.get("/home", "Cookie", before).status()).as("the session before").isEqualTo(303);
		assertThat(logIn(this.site, this.visitor.name(), Visitor.PASSWORD)).isEqualTo(401);
		assertThat(logIn(this.site, this.visitor.name(), NEW)).isEqualTo(303);
	}

	@Test
	void onlyTheBrowserThatChangesThePasswordStaysKnown() {
		Visitor.signedIn(this.site, this.visitor.name());
		assertThat(change(this.visitor, NEW).status()).isEqualTo(303);
		assertThat(SessionFaultTests.knownBrowsers(this.site, this.visitor))
			.containsExactly(new DeviceCookie(this.visitor.cookie("device")).hashFor(this.visitor.id()));
	}

	@Test
	void aWrongFieldHasAMessageBesideItAndNothingChanges() {
		List<List<String>> wrong = List.of(List.of("", NEW, NEW, "Enter your password."),
				List.of("wrong", NEW, NEW, "Wrong password."),
				List.of(Visitor.PASSWORD, "short", "short", "Use at least 10 characters."),
				List.of(Visitor.PASSWORD, "1234567890", "1234567890",
						"This is one of the most common passwords, which are guessed first. Choose another."),
				List.of(Visitor.PASSWORD, NEW, NEW + "!", "The passwords do not match."));
		for (List<String> fields : wrong) {
			Answer answer = change(this.visitor, fields.get(0), fields.get(1), fields.get(2));
			assertThat(answer.status()).isEqualTo(422);
			assertThat(answer.errors()).containsExactly(fields.get(3));
			assertThat(answer.body()).contains("aria-invalid=\"true\"").doesNotContain(NEW, "short");
		}
		assertThat(this.visitor.isSignedIn()).isTrue();
		assertThat(logIn(this.site, this.visitor.name(), Visitor.PASSWORD)).isEqualTo(303);
	}

	/** The instance that has changed the password died before it told anybody. */
	@Test
	void whoeverFinishesAChangeLetsNoBrowserStayKnown() {
		Visitor user = Visitor.registered(this.site);
		assertThat(SessionFaultTests.knownBrowsers(this.site, user)).hasSize(1);
		AuthRotation rotation = this.site.bean(AuthRotation.class);
		rotation.finish(Intent.of(Intent.Kind.ROTATION, user.id(), "0")).block(Duration.ofSeconds(20));
		assertThat(SessionFaultTests.knownBrowsers(this.site, user)).as("a log-out").hasSize(1);
		this.site.redis().hset(Keys.user(user.id()), "password_change", "mark");
		this.site.redis().hset(Keys.user(user.id()), "rotation", "mark of a log-out since");
		rotation.finish(Intent.of(Intent.Kind.PASSWORD, user.id(), "0:another")).block(Duration.ofSeconds(20));
		assertThat(SessionFaultTests.knownBrowsers(this.site, user)).as("another change came first").hasSize(1);
		rotation.finish(Intent.of(Intent.Kind.PASSWORD, user.id(), "0:mark")).block(Duration.ofSeconds(20));
		assertThat(SessionFaultTests.knownBrowsers(this.site, user)).isEmpty();
	}

	@Test
	void guessingPasswordsHereIsLimitedToo() {
		Visitor guesser = Visitor.limited();
		for (int i = 0; i < 5; i++) {
			assertThat(change(guesser, "wrong", NEW, NEW).status()).isEqualTo(422);
		}
		Answer refused = change(guesser, NEW);
		assertThat(refused.status()).isEqualTo(429);
		assertThat(refused.header("Retry-After")).matches("[1-9]\\d*");
		assertThat(guesser.isSignedIn()).isTrue();
	}

	/** Otherwise a stolen cookie is enough to guess without end. */
	@Test
	void aRenewedSessionHasNoNewTries() {
		Visitor guesser = Visitor.limited();
		for (int i = 0; i < 5; i++) {
			assertThat(change(guesser, "wrong", NEW, NEW).status()).isEqualTo(422);
		}
		guesser.get("/settings/sessions");
		assertThat(guesser.submit("/settings/sessions/others/end").status()).as("needs no password").isEqualTo(303);
		assertThat(change(guesser, "wrong", NEW, NEW).status()).isEqualTo(429);
	}

	@Test
	void aStrangerAtTheLogInCannotUseUpTheTriesOfWhoIsLoggedIn() {
		Visitor owner = Visitor.limited();
		for (String name : List.of(owner.name(), owner.id(), owner.id() + ":confirm")) {
			for (int i = 0; i < 6; i++) {
				Visitor stranger = Visitor.from(Visitor.freshAddress(), Site.limited());
				stranger.get("/login");
				assertThat(stranger.signIn(name, "wrong password").status()).isIn(401, 422, 429);
			}
		}
		assertThat(change(owner, NEW).status()).isEqualTo(303);
	}

	@Test
	void itNeedsALogInAndTheTokenOfThePage() {
		Visitor stranger = Visitor.of(this.site);
		stranger.get("/login");
		assertThat(stranger.submit("/settings/password", "old", Visitor.PASSWORD).location())
			.isEqualTo("/login?next=%2Fsettings");
		assertThat(this.visitor.submit("/settings/password", "_csrf", "made up").status()).isEqualTo(403);
	}

	@Test
	void theStreamsOfAllSessionsEndAndThisBrowserComesBack() {
		try (EventStream mine = this.visitor.open("/live/home");
				EventStream other = Visitor.signedIn(this.site, this.visitor.name()).open("/live/home")) {
			List.of(mine, other).forEach((stream) -> stream.await((event) -> event.name().equals("position")));
			assertThat(change(this.visitor, NEW).status()).isEqualTo(303);
			mine.awaitEnd();
			other.awaitEnd();
		}
		try (EventStream again = comeBack()) {
			again.awaitPost(this.visitor.post("with the new session"));
		}
	}

	/**
	 * Opens a stream as a browser does. The change may still be on its way to the event
	 * loop of this stream, and then ends it as well, and the browser comes back again.
	 */
	private EventStream comeBack() {
		return Awaitility.await().until(() -> {
			EventStream stream = this.visitor.open("/live/home");
			Awaitility.await().until(() -> stream.isEnded() || !stream.events("position").isEmpty());
			return stream;
		}, (stream) -> !stream.isEnded());
	}

	@Test
	@Tag("slow")
	void withoutAQuorumNothingChangesAndThePageSaysSo(@OwnRedis TestRedis redis) {
		try (LockServers locks = new LockServers(3); Site own = Site.start(redis, locks.setting())) {
			Visitor phone = Visitor.registered(own);
			Visitor laptop = Visitor.signedIn(own, phone.name());
			locks.killMajority();
			Answer paused = change(phone, NEW);
			assertThat(paused.status()).isEqualTo(503);
			assertThat(paused.header("Retry-After")).matches("[1-9]\\d*");
			assertThat(paused.errors()).singleElement().asString().contains("Nothing was changed.");
			assertThat(phone.isSignedIn() && laptop.isSignedIn()).isTrue();
			assertThat(logIn(own, phone.name(), Visitor.PASSWORD)).isEqualTo(303);
			locks.restartAll();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> change(phone, NEW).status() == 303);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void ofTwoChangesAtTheSameMomentOneIsMade() {
		try (InstancesWithLockNodes instances = new InstancesWithLockNodes("redisson")) {
			for (int round = 0; round < 3; round++) {
				Visitor owner = Visitor.registered(instances.site(0));
				List<Visitor> devices = List.of(owner, Visitor.signedIn(instances.site(1), owner.name()));
				devices.forEach((device) -> device.get("/settings"));
				List<Answer> answers = Simultaneous.times(2, (i) -> devices.get(i)
					.submit("/settings/password", "old", Visitor.PASSWORD, "password", NEW + i, "password2", NEW + i));
				int made = answers.get(0).location().startsWith("/settings") ? 0 : 1;
				assertThat(answers.get(made).location()).startsWith("/settings");
				assertThat(devices.get(made).isSignedIn()).isTrue();
				assertThat(devices.get(1 - made).isSignedIn()).isFalse();
				Site site = instances.site(round);
				assertThat(logIn(site, owner.name(), NEW + made)).isEqualTo(303);
				assertThat(logIn(site, owner.name(), NEW + (1 - made))).isEqualTo(401);
				assertThat(site.redis().hget(Keys.user(owner.id()), "auth")).isEqualTo("2");
			}
		}
	}

	@Test
	@Tag("slow")
	void aChangeWhoseAnswerIsLostIsMadeOnceAndTheSessionGoesOn(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site far = Site.startAt("127.0.0.1", way.port())) {
			Visitor first = Visitor.registered(far);
			first.get("/home");
			first.submit("/logout"); // after this the store knows the script
			Visitor owner = Visitor.registered(far);
			String user = Keys.user(owner.id());
			owner.get("/settings");
			Answer answer;
			try (Interception lost = way.at(SentCommand.named("EVALSHA").and(SentCommand.with(Keys.fence(user))))
				.cutAfter()) {
				answer = owner.submit("/settings/password", "old", Visitor.PASSWORD, "password", NEW, "password2", NEW);
				lost.awaitMet();
			}
			assertThat(answer.location()).startsWith("/settings");
			assertThat(owner.isSignedIn()).isTrue();
			assertThat(far.redis().hget(user, "auth")).isEqualTo("2");
			assertThat(logIn(far, owner.name(), NEW)).isEqualTo(303);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aChangeThatIsNeverAnsweredIs503InTime(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site far = Site.startAt("127.0.0.1", way.port())) {
			Visitor owner = Visitor.registered(far);
			String user = Keys.user(owner.id());
			owner.get("/settings");
			try (Interception lost = way.at(SentCommand.with(user).and(SentCommand.with(Keys.fence(user))))
				.loseCommand()) {
				Answer answer = owner.submit("/settings/password", "old", Visitor.PASSWORD, "password", NEW,
						"password2", NEW);
				assertThat(lost.met()).isOne();
				assertThat(answer.status()).isEqualTo(503);
				assertThat(answer.took()).isLessThan(Duration.ofSeconds(4));
			}
		}
	}

}
