package live.retwis.account;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(120)
@ExtendWith(RedisExtension.class)
class UserSessionsTests {

	private static final String FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

	/** A command may be held for longer than the site usually waits. */
	private static final String PATIENT = "--spring.data.redis.timeout=20s";

	private static final Pattern DEVICE = Pattern.compile("<b id=\"session-([0-9a-f]+)\">(.*?)</b>");

	private final Site site = Site.shared();

	private final Visitor visitor = Visitor.registered(this.site);

	private static Answer list(Visitor visitor) {
		return visitor.get("/settings/sessions");
	}

	private static List<String> ids(Visitor visitor) {
		return DEVICE.matcher(list(visitor).body()).results().map((device) -> device.group(1)).toList();
	}

	private static String idOf(Visitor visitor) {
		return SessionCookie.publicId(hashOf(visitor));
	}

	private static String hashOf(Visitor visitor) {
		return new SessionCookie(visitor.id(), visitor.cookie("auth").substring(14)).tokenHash();
	}

	private static Answer end(Visitor visitor, String id) {
		list(visitor);
		return visitor.submit("/settings/sessions/" + id + "/end");
	}

	private Visitor device() {
		return Visitor.signedIn(this.site, this.visitor.name());
	}

	/**
	 * Its user has ended it at another browser meanwhile, and was told that it is over.
	 */
	@Test
	void aSessionThatEndsWhileItEndsAllOthersDoesNotComeBack(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site behind = Site.startAt("127.0.0.1", way.port());
				Site other = Site.startAt(redis.host(), redis.port())) {
			Visitor thief = Visitor.registered(behind);
			list(thief);
			try (Interception held = way
				.at(SentCommand.named("EVALSHA").and(SentCommand.with(Keys.fence(Keys.user(thief.id())))))
				.holdCommand()) {
				CompletableFuture<Answer> answer = CompletableFuture
					.supplyAsync(() -> thief.submit("/settings/sessions/others/end"));
				held.awaitMet();
				assertThat(end(Visitor.signedIn(other, thief.name()), idOf(thief)).status()).isEqualTo(303);
				held.close();
				assertThat(answer.orTimeout(20, TimeUnit.SECONDS).join().location()).startsWith("/login");
			}
			assertThat(thief.isSignedIn()).isFalse();
		}
	}

	@Test
	void aSessionShowsItsDeviceAndWhichOneIsThis() {
		Visitor phone = Visitor.of(this.site).sending("User-Agent", FIREFOX);
		phone.get("/login");
		phone.signIn(this.visitor.name(), Visitor.PASSWORD);
		Answer answer = list(phone);
		assertThat(answer.status()).isEqualTo(200);
		List<MatchResult> devices = DEVICE.matcher(answer.body()).results().toList();
		assertThat(devices).extracting((device) -> device.group(2))
			.containsExactly("Firefox on Linux", "Unknown browser");
		assertThat(devices).extracting(MatchResult::group).noneMatch((text) -> text.contains(hashOf(phone)));
		assertThat(answer.body()).containsPattern("(?s)Firefox on Linux</b>\\s*<b class=\"current\">This browser")
			.containsOnlyOnce("This browser")
			.doesNotContain(hashOf(phone), hashOf(this.visitor));
		assertThat(answer.find("formaction=\"/settings/sessions/([0-9a-f]+)/end\"")).isEqualTo(idOf(this.visitor));
		assertThat(answer.body()).containsPattern("Logged in <time datetime=\"20\\d\\d-[^\"]+Z\">[^<]+</time>")
			.containsPattern("Last seen <time datetime=\"20\\d\\d-[^\"]+Z\" data-relative>[^<]+</time>");
	}

	@Test
	void aProgramGetsTheListAsJsonWithTheIdsByWhichSessionsEnd() {
		Visitor phone = Visitor.of(this.site).sending("User-Agent", FIREFOX);
		phone.get("/login");
		phone.signIn(this.visitor.name(), Visitor.PASSWORD);
		Answer answer = phone.getJson("/settings/sessions");
		assertThat(answer.status()).isEqualTo(200);
		JsonNode sessions = answer.json().get("sessions");
		assertThat(sessions).hasSize(2);
		assertThat(sessions.get(0).get("browser").asString()).isEqualTo("Firefox");
		assertThat(sessions.get(0).get("system").asString()).isEqualTo("Linux");
		assertThat(sessions.get(0).get("current").asBoolean()).isTrue();
		assertThat(sessions.get(0).get("begun_at").asString()).matches("20\\d\\d-.+Z");
		assertThat(sessions.get(0).get("seen_at").asString()).matches("20\\d\\d-.+Z");
		assertThat(sessions.get(1).get("current").asBoolean()).isFalse();
		assertThat(answer.body()).doesNotContain(hashOf(phone), hashOf(this.visitor));
		assertThat(end(phone, sessions.get(1).get("id").asString()).status()).isEqualTo(303);
		assertThat(this.visitor.isSignedIn()).isFalse();
		assertThat(Visitor.of(this.site).getJson("/settings/sessions").status()).isEqualTo(401);
	}

	@Test
	void endingASessionEndsNoOtherAndRepeatingItIsHarmless() {
		Visitor phone = device();
		Visitor tablet = device();
		Answer answer = end(this.visitor, idOf(phone));
		assertThat(answer.status()).isEqualTo(303);
		assertThat(answer.location()).isEqualTo("/settings/sessions");
		assertThat(end(this.visitor, idOf(phone)).body()).contains("or is over already");
		assertThat(phone.isSignedIn()).isFalse();
		assertThat(this.visitor.isSignedIn() && tablet.isSignedIn()).isTrue();
		assertThat(ids(this.visitor)).containsExactlyInAnyOrder(idOf(this.visitor), idOf(tablet));
	}

	@Test
	void theStreamsOfAnEndedSessionEndAndOthersComeBack() {
		Visitor phone = device();
		try (EventStream ended = phone.open("/live/home"); EventStream mine = this.visitor.open("/live/home")) {
			List.of(ended, mine).forEach((stream) -> stream.await((event) -> event.name().equals("position")));
			end(this.visitor, idOf(phone));
			ended.awaitEnd();
			mine.awaitEnd();
		}
		assertThat(phone.get("/live/home").status()).isEqualTo(401);
		try (EventStream again = this.visitor.open("/live/home")) {
			again.awaitPost(this.visitor.post("still here"));
		}
	}

	@Test
	void endingAllOthersEndsThoseThatAreNotListedToo() {
		List<Visitor> others = List.of(device(), device());
		this.site.redis().del(Keys.sessionsOf(this.visitor.id()));
		Answer answer = end(this.visitor, "others");
		assertThat(answer.status()).isEqualTo(303);
		assertThat(others).noneMatch(Visitor::isSignedIn);
		assertThat(this.visitor.isSignedIn()).isTrue();
		assertThat(ids(this.visitor)).containsExactly(idOf(this.visitor));
		assertThat(list(this.visitor).body()).doesNotContain("Log out all other sessions");
	}

	/** Otherwise a stolen cookie makes browsers that may guess the password. */
	@Test
	void aRenewedSessionMakesNoKnownBrowser() {
		Set<String> known = Set.copyOf(this.site.redis().hkeys(Keys.devicesOf(this.visitor.id())));
		Visitor thief = Visitor.of(this.site).sending("Cookie", "auth=" + this.visitor.cookie("auth"));
		thief.get("/settings/sessions");
		Answer answer = thief.submit("/settings/sessions/others/end");
		assertThat(answer.status()).isEqualTo(303);
		assertThat(answer.cookies()).anyMatch((cookie) -> cookie.startsWith("auth="))
			.noneMatch((cookie) -> cookie.startsWith("device="));
		assertThat(this.site.redis().hkeys(Keys.devicesOf(this.visitor.id())))
			.containsExactlyInAnyOrderElementsOf(known);
	}

	@Test
	void aKnownBrowserStaysKnownWhenItsSessionIsRenewed() {
		String device = this.visitor.cookie("device");
		device();
		end(this.visitor, "others");
		assertThat(this.visitor.cookie("device")).isEqualTo(device);
		Map<String, String> known = this.site.redis().hgetall(Keys.devicesOf(this.visitor.id()));
		assertThat(known).hasSize(2);
		assertThat(known.get(new DeviceCookie(device).hashFor(this.visitor.id()))).startsWith(hashOf(this.visitor));
	}

	/**
	 * The log-out was sent in another tab before the answer to the renewal was there. Its
	 * own answer may be there first.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aLogOutAlsoEndsTheSessionThatHasJustTakenThePlaceOfItsOwn(boolean password) {
		Visitor tab = Visitor.of(this.site).sending("Cookie", "auth=" + this.visitor.cookie("auth"));
		tab.get("/home");
		assertThat(renew(this.visitor, password).status()).isEqualTo(303);
		assertThat(this.visitor.isSignedIn()).isTrue();
		assertThat(tab.submit("/logout").location()).isEqualTo("/");
		assertThat(this.visitor.isSignedIn()).isFalse();
	}

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@ValueSource(booleans = { false, true })
	void aLogOutDuringARenewalEndsTheSessionThatIsAboutToBegin(boolean password, @OwnRedis TestRedis redis) {
		Predicate<SentCommand> begin = SentCommand.named("SET").and(SentCommand.containing(Keys.session("")));
		try (FaultProxy way = redis.proxy();
				Site behind = Site.startAt("127.0.0.1", way.port());
				Site direct = Site.start(redis)) {
			Visitor owner = Visitor.registered(behind);
			Visitor tab = Visitor.of(direct).sending("Cookie", "auth=" + owner.cookie("auth"));
			tab.get("/home");
			CompletableFuture<Answer> renewed;
			try (Interception held = way.at(begin).holdCommand()) {
				renewed = CompletableFuture.supplyAsync(() -> renew(owner, password));
				held.awaitMet();
				assertThat(tab.submit("/logout").location()).isEqualTo("/");
			}
			assertThat(renewed.orTimeout(20, TimeUnit.SECONDS).join().status()).isEqualTo(303);
			assertThat(owner.isSignedIn()).isFalse();
		}
	}

	/** The one that is renewed is the own session, or another one of the list. */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aSessionThatIsRenewedWhileItIsEndedEndsAllTheSame(boolean own, @OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site behind = Site.startAt("127.0.0.1", way.port(), PATIENT);
				Site direct = Site.start(redis)) {
			Visitor owner = Visitor.registered(direct);
			Visitor ending = own ? tabOf(owner, behind) : Visitor.signedIn(behind, owner.name());
			String id = idOf(owner);
			try (Interception held = way.at(endOf(owner)).holdCommand()) {
				CompletableFuture<Answer> ended = CompletableFuture.supplyAsync(() -> end(ending, id));
				held.awaitMet();
				assertThat(renew(owner, false).status()).isEqualTo(303);
				assertThat(owner.isSignedIn()).isTrue();
				held.close();
				assertThat(ended.orTimeout(20, TimeUnit.SECONDS).join().status()).isEqualTo(303);
			}
			assertThat(owner.isSignedIn()).isFalse();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aLogOutWithoutTheLockAlsoEndsTheSessionThatHasJustTakenThePlaceOfItsOwn(@OwnRedis TestRedis redis) {
		String lease = "--retwis.locks.lease=20s";
		try (FaultProxy renewing = redis.proxy();
				FaultProxy leaving = redis.proxy();
				Site first = Site.startAt("127.0.0.1", renewing.port(), PATIENT, lease);
				Site second = Site.startAt("127.0.0.1", leaving.port(), PATIENT, lease, "--retwis.locks.wait=100ms")) {
			Visitor owner = Visitor.registered(first);
			Visitor tab = tabOf(owner, second);
			Predicate<SentCommand> rotation = SentCommand.named("EVALSHA")
				.and(SentCommand.with(Keys.fence(Keys.user(owner.id()))));
			try (Interception commit = renewing.at(rotation).holdCommand();
					Interception end = leaving.at(endOf(owner)).holdCommand()) {
				CompletableFuture<Answer> renewed = CompletableFuture.supplyAsync(() -> renew(owner, false));
				commit.awaitMet();
				CompletableFuture<Answer> left = CompletableFuture.supplyAsync(() -> tab.submit("/logout"));
				end.awaitMet();
				commit.close();
				assertThat(renewed.orTimeout(20, TimeUnit.SECONDS).join().status()).isEqualTo(303);
				assertThat(owner.isSignedIn()).isTrue();
				end.close();
				assertThat(left.orTimeout(20, TimeUnit.SECONDS).join().location()).isEqualTo("/");
			}
			assertThat(owner.isSignedIn()).isFalse();
		}
	}

	private static Visitor tabOf(Visitor owner, Site site) {
		Visitor tab = Visitor.of(site).sending("Cookie", "auth=" + owner.cookie("auth"));
		tab.get("/home");
		return tab;
	}

	private static Predicate<SentCommand> endOf(Visitor visitor) {
		return SentCommand.named("EVALSHA", "EVAL").and(SentCommand.with(Keys.session(hashOf(visitor))));
	}

	private static Answer renew(Visitor visitor, boolean password) {
		visitor.get("/settings/sessions");
		return password ? visitor.submit("/settings/password", "old", Visitor.PASSWORD, "password",
				"a better horse battery", "password2", "a better horse battery")
				: visitor.submit("/settings/sessions/others/end");
	}

	@Test
	void endingTheOwnSessionLogsOut() {
		Visitor phone = device();
		assertThat(end(this.visitor, idOf(this.visitor)).location()).isEqualTo("/");
		assertThat(this.visitor.cookie("auth")).isEmpty();
		assertThat(phone.isSignedIn()).isTrue();
	}

	@Test
	void aSessionOfAnotherUserCannotBeEnded() {
		Visitor other = Visitor.registered(this.site);
		for (String id : List.of(idOf(other), hashOf(other), "0000000000000000", "x")) {
			Answer answer = end(this.visitor, id);
			assertThat(answer.status()).as(id).isEqualTo(404);
			assertThat(answer.body()).as(id).contains("None of your sessions was ended", "This browser");
		}
		assertThat(other.isSignedIn() && this.visitor.isSignedIn()).isTrue();
	}

	@Test
	void theTwentyFirstSessionEndsTheOneThatWasNotSeenForTheLongestTime() {
		List<Visitor> devices = new ArrayList<>();
		IntStream.range(0, UserSessionsRepository.MOST).forEach((i) -> devices.add(device()));
		assertThat(this.visitor.isSignedIn()).isFalse();
		assertThat(devices).allMatch(Visitor::isSignedIn);
		assertThat(ids(devices.get(0))).hasSize(UserSessionsRepository.MOST);
		Visitor last = device();
		assertThat(devices.get(1).isSignedIn()).as("not seen for the longest time").isFalse();
		assertThat(last.isSignedIn() && devices.get(0).isSignedIn()).isTrue();
		assertThat(this.site.redis().hlen(Keys.sessionsOf(last.id()))).isEqualTo(UserSessionsRepository.MOST);
	}

	@Test
	void loggingInAgainInTheSameBrowserReplacesItsSession() {
		String before = this.visitor.cookie("auth");
		this.visitor.get("/home");
		assertThat(this.visitor.signIn(this.visitor.name(), Visitor.PASSWORD).status()).isEqualTo(303);
		assertThat(this.visitor.cookie("auth")).isNotEqualTo(before);
		assertThat(ids(this.visitor)).containsExactly(idOf(this.visitor));
		assertThat(Visitor.of(this.site).get("/home", "Cookie", "auth=" + before).status()).isEqualTo(303);
	}

	@Test
	void aBrowserThatHasLostItsSessionReplacesItAllTheSame() {
		String before = this.visitor.cookie("auth");
		Visitor same = Visitor.of(this.site).sending("Cookie", "device=" + this.visitor.cookie("device"));
		same.get("/login");
		assertThat(same.signIn(this.visitor.name(), Visitor.PASSWORD).status()).isEqualTo(303);
		assertThat(Visitor.of(this.site).get("/home", "Cookie", "auth=" + before).status()).isEqualTo(303);
		assertThat(ids(same)).containsExactly(idOf(same));
	}

	@Test
	void logInsWhoseClientsGoAwayLeaveNoMoreSessionsThanOthers() {
		SessionLifecycle sessions = this.site.bean(SessionLifecycle.class);
		List<String> before = this.site.keys(Keys.session("*"));
		for (int i = 0; i < 100; i++) {
			sessions.open(MockServerWebExchange.from(MockServerHttpRequest.post("/login")), this.visitor.id(), "1")
				.timeout(Duration.ofNanos(i * 50_000L))
				.onErrorComplete()
				.block();
		}
		Awaitility.await()
			.until(() -> this.site.keys(Keys.session("*")).stream().filter((key) -> !before.contains(key)).toList(),
					(left) -> left.size() <= UserSessionsRepository.MOST);
	}

	@Test
	@Tag("slow")
	void aSessionThatIsMissingInTheListIsAddedWhenItIsSeen(@OwnRedis TestRedis redis) {
		try (Site one = Site.start(redis); Site two = Site.start(redis)) {
			Visitor phone = Visitor.registered(one);
			one.redis().del(Keys.sessionsOf(phone.id()));
			phone.sentTo(two.url("")).get("/home");
			Awaitility.await().until(() -> one.redis().hexists(Keys.sessionsOf(phone.id()), idOf(phone)));
		}
	}

	@Test
	void aSessionThatEndsWhileItIsNotedIsNotListed() {
		Visitor phone = device();
		String hash = hashOf(phone);
		end(this.visitor, idOf(phone));
		SessionLastSeenRecorder.Seen seen = new SessionLastSeenRecorder.Seen(phone.id(), hash, "1",
				new UserAgent("", ""));
		this.site.bean(SessionLastSeenRecorder.class).note(seen).block(Duration.ofSeconds(10));
		assertThat(this.site.redis().hkeys(Keys.sessionsOf(phone.id()))).containsExactly(idOf(this.visitor));
	}

	@Test
	void anInstanceThatDiesWhileItEndsASessionLeavesTheRestToAnother() {
		Visitor phone = device();
		try (EventStream stream = phone.open("/live/home")) {
			stream.await((event) -> event.name().equals("position"));
			Intent intent = Intent.of(Intent.Kind.SESSION_END, phone.id(), hashOf(phone));
			this.site.redis().zadd(Keys.INTENTS, 1, intent.text());
			stream.awaitEnd();
		}
		assertThat(phone.isSignedIn()).isFalse();
		assertThat(this.visitor.isSignedIn()).isTrue();
	}

	@Test
	@Tag("slow")
	void withoutAQuorumTheOthersGoOnAndThePageSaysSo(@OwnRedis TestRedis redis) {
		try (LockServers locks = new LockServers(3); Site own = Site.start(redis, locks.setting())) {
			Visitor phone = Visitor.registered(own);
			Visitor laptop = Visitor.signedIn(own, phone.name());
			locks.killMajority();
			Answer paused = end(phone, "others");
			assertThat(paused.status()).isEqualTo(503);
			assertThat(paused.header("Retry-After")).matches("[1-9]\\d*");
			assertThat(paused.errors()).singleElement().asString().contains("Nothing was changed.");
			assertThat(paused.body()).contains("<a href=\"/settings/sessions?lang=zh\"");
			assertThat(phone.isSignedIn() && laptop.isSignedIn()).isTrue();
			assertThat(end(phone, idOf(laptop)).status()).as("needs no lock").isEqualTo(303);
			assertThat(laptop.isSignedIn()).isFalse();
		}
	}

	@Test
	void signedOutVisitorsAreSentToTheLogIn() {
		Visitor stranger = Visitor.of(this.site);
		assertThat(list(stranger).location()).isEqualTo("/login?next=%2Fsettings%2Fsessions");
		stranger.get("/login");
		assertThat(stranger.submit("/settings/sessions/others/end").location())
			.isEqualTo("/login?next=%2Fsettings%2Fsessions");
	}

	@Test
	void aNoteOfAnOldGenerationChangesNothing() {
		String key = Keys.sessionsOf(this.visitor.id());
		end(this.visitor, "others");
		Map<String, String> before = this.site.redis().hgetall(key);
		this.site.bean(UserSessionsRepository.class).keep(this.visitor.id(), "old", "1", new UserAgent("", "")).block();
		assertThat(this.site.redis().hgetall(key)).isEqualTo(before).hasSize(1);
		assertThat(Stream.of(before.values().iterator().next().split(" "))).contains("2");
	}

}
