package live.retwis.web;

import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.limit.RateLimit;
import live.retwis.limit.RateLimiter;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.Simultaneous;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpCookie;
import org.springframework.http.MediaType;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

/** What the site answers over a limit. */
class RouteRateLimiterTests {

	private final Site site = Site.limited();

	private static Answer post(Visitor author) {
		return author.postJson("body", "one of many", "once", UUID.randomUUID().toString());
	}

	@Test
	void ofManyPostsAtTheSameMomentTenAreMadeAndTheTextOfTheNextIsKept() {
		Visitor author = Visitor.limited();
		author.get("/home");
		List<Integer> statuses = Simultaneous.times(30, (i) -> post(author).status());
		assertThat(statuses.stream().filter((status) -> status == 201)).hasSize(10);
		assertThat(statuses.stream().filter((status) -> status == 429)).hasSize(20);
		Answer json = post(author);
		assertThat(json.header("Content-Type")).isEqualTo("application/problem+json");
		assertThat(json.json().get("detail").asString()).contains("You can go on in");
		assertThat(Integer.parseInt(json.header("Retry-After"))).isBetween(1, 360);
		Answer page = author.submit("/posts", "body", "a <b>\nin two lines", "once", "the-same-once", "next", "/home");
		assertThat(page.status()).isEqualTo(429);
		assertThat(page.header("Retry-After")).isNotEmpty();
		assertThat(page.textarea()).isEqualTo("a <b>\nin two lines");
		assertThat(page.errors()).singleElement().asString().contains("You can go on in");
		assertThat(page.body()).contains("action=\"/posts\"", "name=\"next\" value=\"/home\"");
		assertThat(page.once()).isEqualTo("the-same-once");
	}

	@Test
	void whatIsRefusedToOneUserIsNotTakenFromOthersAtTheSameAddress() {
		String address = Visitor.freshAddress();
		List<Visitor> users = List.of(Visitor.limited().movedTo(address), Visitor.limited().movedTo(address));
		users.forEach((user) -> user.get("/home"));
		for (int i = 0; i < 20; i++) {
			assertThat(post(users.get(0)).status()).isEqualTo((i < 10) ? 201 : 429);
		}
		for (int i = 0; i < 7; i++) {
			assertThat(post(users.get(1)).status()).isEqualTo((i < 5) ? 201 : 429);
		}
		Visitor elsewhere = users.get(1).movedTo(Visitor.freshAddress());
		elsewhere.get("/home");
		for (int i = 0; i < 6; i++) {
			assertThat(post(elsewhere).status()).as("of ten posts the user has used five")
				.isEqualTo((i < 5) ? 201 : 429);
		}
	}

	@Test
	void searchesOfAllUsersAtAnAddressAreCountedTogetherWithWhateverMethod() {
		String address = Visitor.freshAddress();
		Visitor one = Visitor.limited().movedTo(address);
		Visitor other = Visitor.limited().movedTo(address);
		for (int i = 0; i < 60; i++) {
			assertThat(one.get("/search?q=1").status()).isEqualTo(200);
		}
		for (int i = 0; i < 21; i++) {
			assertThat(other.send("HEAD", "/search?q=1", BodyPublishers.noBody()).status())
				.isEqualTo((i < 20) ? 200 : 429);
		}
		assertThat(other.movedTo(Visitor.freshAddress()).get("/search?q=1").status()).isEqualTo(200);
		assertThat(other.get("/search").status()).as("whom to follow, for the side of each home page").isEqualTo(200);
	}

	@Test
	void anAddressOpensOnlySoManyStreamsAlsoWhenItClosesThem() {
		Visitor visitor = Visitor.from(Visitor.freshAddress(), this.site);
		String live = visitor.get("/timeline").live();
		for (int i = 0; i < 20; i++) {
			try (EventStream stream = visitor.open(live)) {
				stream.await((event) -> event.name().equals("position"));
			}
		}
		try (EventStream refused = visitor.open(live)) {
			refused.awaitEnd();
			assertThat(refused.status()).isEqualTo(200);
			assertThat(refused.retry()).isNotEmpty();
			assertThat(refused.events()).isEmpty();
		}
	}

	@Test
	void pagesAskOnlySoOftenWhatTheirReaderHasLiked() {
		Visitor reader = Visitor.limited();
		assertThat(Stream.generate(() -> reader.getJson("/reactions?posts=").status()).limit(4)).containsExactly(200,
				200, 200, 429);
	}

	@Test
	void followsAndUnfollowsAreCountedTogether() {
		Visitor other = Visitor.limited();
		Visitor follower = Visitor.limited();
		follower.get("/@" + other.name());
		for (int i = 0; i < 30; i++) {
			assertThat(follower.submit("/@" + other.name() + ((i % 2 == 0) ? "/follow" : "/unfollow")).status())
				.isEqualTo(303);
		}
		Answer refused = follower.submit("/@" + other.name() + "/follow");
		assertThat(refused.status()).isEqualTo(429);
		assertThat(refused.body()).contains("action=\"/@" + other.name() + "/follow\"");
	}

	@Test
	void whatAllUsersAtAnAddressWriteIsCountedTogether() {
		String address = Visitor.freshAddress();
		String post = Visitor.limited().post("to be reported");
		for (String[] form : new String[][] { { "/posts/" + post + "/bookmark", "50" },
				{ "/posts/" + post + "/report", "3" }, { "/settings/profile", "12" } }) {
			int most = Integer.parseInt(form[1]);
			int allowed = 0;
			for (int user = 0; user < 3; user++) {
				Visitor visitor = Visitor.limited().movedTo(address);
				visitor.get("/home");
				for (int i = 0; i <= most / 2; i++) {
					Answer answer = visitor.submit(form[0], "reason", "spam", "name", "A name");
					assertThat(answer.status()).as(form[0]).isIn(200, 303, 429);
					allowed += (answer.status() != 429) ? 1 : 0;
				}
			}
			assertThat(allowed).as(form[0]).isEqualTo(most);
		}
	}

	@Test
	void anAddressRegistersFiveTimesAndNoPasswordIsSentBack() {
		String address = Visitor.freshAddress();
		for (int i = 0; i < 5; i++) {
			Visitor visitor = Visitor.from(address, this.site);
			visitor.get("/register");
			assertThat(visitor.register(Visitor.freshName(), Visitor.PASSWORD).status()).isEqualTo(303);
		}
		Visitor last = Visitor.from(address, this.site);
		last.get("/register");
		String name = Visitor.freshName();
		Answer refused = last.register(name, Visitor.PASSWORD);
		assertThat(refused.status()).isEqualTo(429);
		assertThat(refused.body()).contains("name=\"username\" value=\"" + name + "\"", "type=\"password\"")
			.doesNotContain(Visitor.PASSWORD);
	}

	@Test
	void aPictureHasToBeChosenAgainAndTheRestIsKept() {
		Visitor user = Visitor.limited();
		user.get("/settings");
		for (int i = 0; i < 10; i++) {
			assertThat(user.submit("/settings/profile", "name", "A", "bio", "B").status()).isEqualTo(303);
		}
		Answer refused = user.submitParts("/settings/profile", "name", "Anna", "bio", "many words", "picture",
				new byte[] { 1, 2, 3 });
		assertThat(refused.status()).isEqualTo(429);
		assertThat(refused.textarea()).isEqualTo("many words");
		assertThat(refused.body()).contains("enctype=\"multipart/form-data\"", "name=\"picture\" type=\"file\"",
				"value=\"Anna\"");
	}

	@Test
	void addressesOfOneNetworkSearchTogether() {
		Answer refused = IntStream.range(1, 200)
			.mapToObj((i) -> Visitor.from("2001:db8:7:7::" + Integer.toHexString(i), this.site).get("/search?q=word"))
			.filter((answer) -> answer.status() == 429)
			.findFirst()
			.orElseThrow();
		assertThat(refused.body()).contains("href=\"/search?q&#x3D;word\"");
		assertThat(Visitor.from("2001:db8:7:8::1", this.site).get("/search?q=word").status()).isEqualTo(200);
	}

	/**
	 * A timeline that says that it lacks older posts. Each page past it may read many
	 * lists.
	 */
	@Test
	void aReaderGetsSixtyPagesPastTheEndOfTheTimeline() {
		Visitor reader = Visitor.limited();
		String timeline = Keys.homeTimeline(reader.id());
		long now = System.currentTimeMillis();
		this.site.redis().zadd(timeline, (double) now, "0BBBBBBBBBBBB");
		this.site.redis().set(Keys.homeCompleteFrom(reader.id()), ">" + now);
		String older = "/home?before=" + new Cursor(now - 1_000_000, "0AAAAAAAAAAAA").text(timeline);
		Visitor attacker = Visitor.from(Visitor.freshAddress(), this.site)
			.sending("Cookie", "auth=" + reader.id() + "." + "A".repeat(43));
		assertThat(attacker.get(older).status()).isEqualTo(303);
		for (int i = 0; i < 60; i++) {
			assertThat(reader.get(older).status()).isEqualTo(200);
		}
		Answer refused = reader.get(older);
		assertThat(refused.status()).isEqualTo(429);
		assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 60);
		assertThat(refused.body()).contains("You can go on in");
	}

	@Test
	void whoAmongTheFollowsFollowsAUserIsASearch() {
		Visitor reader = Visitor.limited();
		String common = "/@" + Visitor.limited().name() + "/common";
		for (int i = 0; i < 60; i++) {
			assertThat(reader.get(common).status()).isEqualTo(200);
		}
		assertThat(reader.get(common).status()).isEqualTo(429);
		assertThat(reader.get("/search?q=word").status()).isEqualTo(429);
	}

	@Test
	void whoClaimsToBeSomebodyElseIsNotCountedAsThem() {
		Visitor victim = Visitor.limited();
		victim.get("/home");
		Visitor attacker = Visitor.from(Visitor.freshAddress(), this.site)
			.sending("Cookie", "auth=" + victim.id() + "." + "A".repeat(43));
		attacker.get("/login");
		for (int i = 0; i < 10; i++) {
			assertThat(post(attacker).status()).isEqualTo(401);
		}
		assertThat(post(attacker).status()).isEqualTo(429);
		assertThat(post(victim).status()).isEqualTo(201);
	}

	/** Otherwise each made-up cookie would be somebody new. */
	@Test
	void whoseUserIsNotKnownInTimeIsCountedByTheAddress() {
		try (Site hasty = Site.another("--retwis.limits.enabled=true", "--retwis.limits.timeout=1ms",
				"--retwis.limits.searches=5/1h")) {
			RouteRateLimiter limits = new RouteRateLimiter(hasty.bean(RateLimiter.class), new SlowViewers(),
					hasty.bean(PageFrames.class), hasty.bean(Templates.class));
			AtomicInteger allowed = new AtomicInteger();
			for (int i = 0; i < 20; i++) {
				ServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/search")
					.accept(MediaType.APPLICATION_JSON)
					.remoteAddress(new InetSocketAddress("192.0.2.1", 1000 + i))
					.cookie(new HttpCookie("auth", "made up " + i)));
				ServerRequest request = ServerRequest.create(exchange,
						HandlerStrategies.withDefaults().messageReaders());
				limits.within(RateLimit.SEARCHES, request, (counted) -> {
					allowed.incrementAndGet();
					return Mono.empty();
				}).onErrorComplete(ProblemException.class).block(Duration.ofSeconds(20));
			}
			assertThat(allowed).hasValue(5);
		}
	}

	/** Finds out in no time what the cookie says, and never who it is. */
	private static final class SlowViewers implements Viewers {

		@Override
		public Mono<Viewer> of(ServerWebExchange exchange) {
			return Mono.never();
		}

		@Override
		public Mono<Viewer> withUnread(Viewer viewer) {
			return Mono.never();
		}

		@Override
		public Optional<String> sessionSecret(ServerWebExchange exchange) {
			return Optional.ofNullable(exchange.getRequest().getCookies().getFirst("auth")).map(HttpCookie::getValue);
		}

		@Override
		public Mono<Viewer> ahead(ServerWebExchange exchange) {
			return Mono.never();
		}

	}

	@Test
	void whoHasStolenACookieCannotKeepTheOwnerFromEndingAllSessions() {
		Visitor owner = Visitor.limited();
		Visitor thief = owner.movedTo(Visitor.freshAddress());
		for (int i = 0; i < 25; i++) {
			thief.submit("/settings/sessions/" + "x".repeat(i + 1) + "/end");
		}
		assertThat(thief.submit("/settings/sessions/x/end").status()).isEqualTo(429);
		assertThat(owner.submit("/settings/sessions/others/end").status()).isEqualTo(303);
	}

	/** Each answer begins a new session. */
	@Test
	void endingTheOtherSessionsAgainAndAgainIsCounted() {
		Visitor owner = Visitor.limited();
		Set<Integer> statuses = new TreeSet<>();
		for (int i = 0; i < 60 && !statuses.contains(429); i++) {
			owner.get("/settings/sessions");
			statuses.add(owner.submit("/settings/sessions/others/end").status());
		}
		assertThat(statuses).containsExactly(303, 429);
	}

	@Test
	void whoIsNotLoggedInCannotKeepOthersBehindTheSameAddressFromLoggingOut() {
		String address = Visitor.freshAddress();
		Visitor owner = Visitor.limited().movedTo(address);
		Visitor stranger = Visitor.from(address, this.site);
		stranger.get("/login");
		List<Integer> statuses = Simultaneous.times(25, (i) -> stranger.submit("/logout").status());
		assertThat(statuses).contains(429);
		assertThat(owner.submit("/logout").status()).isEqualTo(303);
	}

}
