package live.retwis.account;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import live.retwis.web.Viewer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sessions whose commands are late, lost or sent twice.
 */
@ExtendWith(RedisExtension.class)
class SessionFaultTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final String NEW = "a better horse battery";

	private static final Predicate<SentCommand> NEW_SESSION = SentCommand.named("SET")
		.and((command) -> command.arguments().get(0).startsWith(Keys.session("")));

	private final Site site = Site.shared();

	private static String hashOf(Visitor visitor) {
		return new SessionCookie(visitor.id(), visitor.cookie("auth").substring(14)).tokenHash();
	}

	private static Answer changePassword(Visitor visitor) {
		visitor.get("/settings");
		return visitor.submit("/settings/password", "old", Visitor.PASSWORD, "password", NEW, "password2", NEW);
	}

	/** A log-in of the user whose session is stored only when it is let go on. */
	private static CompletableFuture<Answer> logIn(Site site, Visitor user) {
		Visitor browser = Visitor.of(site);
		browser.get("/login");
		return CompletableFuture.supplyAsync(() -> browser.signIn(user.name(), Visitor.PASSWORD))
			.orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS);
	}

	/** Waits until the site has replaced the connection that lost a command. */
	private static void awaitLogIn(Site site, String name, String password) {
		Awaitility.await().atMost(BOUND).until(() -> {
			Visitor browser = Visitor.of(site);
			browser.get("/login");
			return browser.signIn(name, password).status() == 303;
		});
	}

	@Test
	void aSessionIsRenewedAlsoWhenTheCommandIsSentTwiceAndOneThatHasEndedIsNot() {
		Visitor owner = Visitor.registered(this.site);
		Session session = new Session(new Viewer(owner.id(), owner.name()), "1", hashOf(owner));
		UserSessionsRepository sessions = this.site.bean(UserSessionsRepository.class);
		String next = SessionCookie.create(owner.id()).tokenHash();
		assertThat(sessions.renew(session, next).block(BOUND)).isTrue();
		assertThat(sessions.renew(session, next).block(BOUND)).isTrue();
		this.site.redis().del(Keys.session(hashOf(owner)));
		assertThat(sessions.renew(session, next).block(BOUND)).isFalse();
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aLogInWithThePasswordBeforeMakesNoKnownBrowser(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site behind = Site.startAt("127.0.0.1", way.port());
				Site direct = Site.start(redis)) {
			Visitor owner = Visitor.registered(direct);
			CompletableFuture<Answer> late;
			try (Interception held = way.at(NEW_SESSION).holdCommand()) {
				late = logIn(behind, owner);
				held.awaitMet();
				assertThat(changePassword(owner).status()).isEqualTo(303);
			}
			late.join();
			assertThat(knownBrowsers(direct, owner)).hasSize(1);
			assertThat(direct.redis().hlen(Keys.sessionsOf(owner.id()))).isOne();
			assertThat(direct.keys(Keys.session("*"))).as("one, and the one that it replaces")
				.hasSize(2)
				.contains(Keys.session(hashOf(owner)));
		}
	}

	/** The instance dies before it can undo what came too late. */
	@Test
	@Tag("slow")
	@Tag("long")
	void aLogInWithThePasswordBeforeThatNobodyUndoesMakesNoKnownBrowser(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site behind = Site.startAt("127.0.0.1", way.port());
				Site direct = Site.start(redis)) {
			Visitor owner = Visitor.registered(direct);
			Visitor late = Visitor.of(behind);
			late.get("/login");
			try (Interception held = way.at(NEW_SESSION).holdCommand()) {
				CompletableFuture<Answer> answer = CompletableFuture
					.supplyAsync(() -> late.signIn(owner.name(), Visitor.PASSWORD));
				held.awaitMet();
				assertThat(changePassword(owner).status()).isEqualTo(303);
				try (Interception undoing = way
					.at(SentCommand.named("HMGET").and(SentCommand.with(Keys.user(owner.id()))))
					.loseCommand()) {
					held.close();
					undoing.awaitMet();
					assertThat(answer.orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join().status()).isEqualTo(503);
				}
			}
			assertThat(knownBrowsers(direct, owner))
				.containsExactly(new DeviceCookie(owner.cookie("device")).hashFor(owner.id()));
		}
	}

	/** The hashes of the browsers in which the user has logged in. */
	static List<String> knownBrowsers(Site site, Visitor user) {
		return site.redis()
			.hkeys(Keys.devicesOf(user.id()))
			.stream()
			.filter((hash) -> !hash.equals("generation"))
			.toList();
	}

	@Test
	@Tag("slow")
	void nothingIsLeftOfALogInThatADeletionOfTheAccountOvertakes(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site behind = Site.startAt("127.0.0.1", way.port());
				Site direct = Site.start(redis)) {
			Visitor owner = Visitor.registered(direct);
			String id = owner.id();
			CompletableFuture<Answer> late;
			try (Interception held = way.at(NEW_SESSION).holdCommand()) {
				late = logIn(behind, owner);
				held.awaitMet();
				owner.get("/settings");
				assertThat(owner.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
				Awaitility.await().atMost(BOUND).until(() -> !direct.redis().hexists(Keys.user(id), "username"));
			}
			late.join();
			assertThat(direct.redis().exists(Keys.devicesOf(id), Keys.sessionsOf(id))).isZero();
			assertThat(direct.keys(Keys.session("*"))).isEmpty();
		}
	}

	/** An instance may die between this and the end of the session. */
	@Test
	void aSessionThatIsTooManyIsNamedUntilItIsEnded() {
		Visitor owner = Visitor.registered(this.site);
		IntStream.range(1, UserSessionsRepository.MOST).forEach((i) -> Visitor.signedIn(this.site, owner.name()));
		UserSessionsRepository sessions = this.site.bean(UserSessionsRepository.class);
		String hash = SessionCookie.create(owner.id()).tokenHash();
		sessions.begin(owner.id(), hash, "1").block(BOUND);
		for (int i = 0; i < 2; i++) {
			assertThat(sessions.keep(owner.id(), hash, "1", new UserAgent("", "")).block(BOUND))
				.containsExactly(hashOf(owner));
		}
		sessions.end(owner.id(), hashOf(owner)).block(BOUND);
		assertThat(sessions.keep(owner.id(), hash, "1", new UserAgent("", "")).block(BOUND)).isEqualTo(List.of());
	}

	/** In a cluster each session may be on another node. */
	@Test
	@Tag("slow")
	@Tag("long")
	void aSessionThatIsTooManyAndWhoseNodeIsAwayKeepsNobodyFromLoggingIn(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site behind = Site.startAt("127.0.0.1", way.port())) {
			Visitor owner = Visitor.registered(behind);
			IntStream.range(1, UserSessionsRepository.MOST).forEach((i) -> Visitor.signedIn(behind, owner.name()));
			try (Interception away = way
				.at(SentCommand.named("EVALSHA", "EVAL").and(SentCommand.with(Keys.session(hashOf(owner)))))
				.rewriteReply((reply) -> "-CLUSTERDOWN The cluster is down\r\n")) {
				for (int i = 1; i < 3; i++) {
					assertThat(Visitor.signedIn(behind, owner.name()).isSignedIn()).isTrue();
					assertThat(away.met()).isGreaterThanOrEqualTo(i);
				}
			}
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !owner.isSignedIn());
		}
	}

	/** Every view of the list tries it again. */
	@Test
	@Tag("slow")
	@Tag("long")
	void aSessionWhoseNodeIsAwayIsToBeEndedByOneIntentHoweverOftenItIsTried(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site behind = Site.startAt("127.0.0.1", way.port())) {
			Visitor owner = Visitor.registered(behind);
			IntStream.rangeClosed(1, UserSessionsRepository.MOST)
				.forEach((i) -> Visitor.signedIn(behind, owner.name()));
			Visitor latest = Visitor.signedIn(behind, owner.name());
			UserSessionsRepository sessions = behind.bean(UserSessionsRepository.class);
			String over = SessionCookie.create(owner.id()).tokenHash();
			behind.redis().hset(Keys.sessionsOf(owner.id()), SessionCookie.publicId(over), over + " 0 1 1 ");
			try (Interception away = way
				.at(SentCommand.named("EVALSHA", "EVAL").and(SentCommand.with(Keys.session(over))))
				.rewriteReply((reply) -> "-CLUSTERDOWN The cluster is down\r\n")) {
				for (int i = 1; i <= 3; i++) {
					assertThat(latest.get("/settings/sessions").status()).isEqualTo(200);
					assertThat(away.met()).isGreaterThanOrEqualTo(i);
				}
				assertThat(behind.redis().zrange(Keys.INTENTS, 0, -1)).filteredOn((intent) -> intent.contains(over))
					.hasSize(1);
			}
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> sessions.find(owner.id(), SessionCookie.publicId(over)).blockOptional(BOUND).isEmpty());
		}
	}

	/**
	 * The connection is out of step, so nobody can ask whether a fail-over has lost the
	 * change.
	 */
	@Test
	@Tag("slow")
	void aChangedPasswordWhoseNewSessionIsNotOpenedAsksForALogInAndIsNotCalledChanged(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site behind = Site.startAt("127.0.0.1", way.port())) {
			Visitor owner = Visitor.registered(behind);
			Answer answer;
			try (Interception lost = way.at(NEW_SESSION).loseCommand()) {
				answer = changePassword(owner);
				assertThat(lost.met()).isPositive();
			}
			assertThat(answer.location()).isEqualTo("/login?next=%2Fsettings%3Fpassword-unsure");
			awaitLogIn(behind, owner.name(), NEW);
		}
	}

	@Test
	void aPasswordThatIsChangedWhileTheSessionEndsIsChangedAndSaysSo(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site behind = Site.startAt("127.0.0.1", way.port())) {
			Visitor owner = Visitor.registered(behind);
			String session = Keys.session(hashOf(owner));
			try (Interception held = way.at(SentCommand.named("SET").and(SentCommand.with(session))).holdCommand()) {
				CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(() -> changePassword(owner));
				held.awaitMet();
				behind.redis().del(session);
				held.close();
				assertThat(answer.orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join().location())
					.isEqualTo("/login?next=%2Fsettings%3Fpassword-changed");
			}
			awaitLogIn(behind, owner.name(), NEW);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aRegistrationWhoseSessionIsNotOpenedAsksForALogIn(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site behind = Site.startAt("127.0.0.1", way.port())) {
			String name = Visitor.freshName();
			Visitor visitor = Visitor.registered(behind);
			behind.redis().del(Keys.session(hashOf(visitor)));
			visitor.get("/register");
			Answer answer;
			try (Interception lost = way.at(NEW_SESSION).loseCommand()) {
				answer = visitor.submit("/register", "username", name, "password", Visitor.PASSWORD, "password2",
						Visitor.PASSWORD);
				assertThat(lost.met()).isPositive();
			}
			assertThat(answer.location()).isEqualTo("/login?next=%2Fhome");
			awaitLogIn(behind, name, Visitor.PASSWORD);
		}
	}

	@Test
	void theOwnSessionEndsEvenIfTheListLacksIt() {
		Visitor owner = Visitor.registered(this.site);
		owner.get("/settings/sessions");
		String hash = hashOf(owner);
		this.site.redis().hdel(Keys.sessionsOf(owner.id()), SessionCookie.publicId(hash));
		assertThat(owner.submit("/settings/sessions/" + SessionCookie.publicId(hash) + "/end").location())
			.isEqualTo("/");
		assertThat(this.site.redis().exists(Keys.session(hash))).isZero();
	}

}
