package live.retwis.export;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

import live.retwis.account.AccountSuspension;
import live.retwis.account.User;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import live.retwis.web.ProblemException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.server.RouterFunctions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

@Timeout(60)
class ExportTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final User USER = User.fresh("0AAAAAAAAAAAA", "ada", "", 0);

	private final Site site = Site.shared();

	private final Visitor visitor = Visitor.registered(this.site);

	private JsonNode exported() {
		return this.visitor.get("/settings/export").json();
	}

	private static List<String> texts(JsonNode list, String field) {
		return StreamSupport.stream(list.spliterator(), false).map((item) -> item.get(field).asString()).toList();
	}

	@Test
	void theFileHasWhomTheUserHasMutedAndBlocked() {
		Visitor muted = Visitor.registered(this.site);
		Visitor blocked = Visitor.registered(this.site);
		this.visitor.get("/settings");
		this.visitor.submit("/@" + muted.name() + "/mute");
		this.visitor.submit("/@" + blocked.name() + "/block");
		assertThat(texts(exported().get("muted"), "username")).containsExactly(muted.name());
		assertThat(texts(exported().get("blocked"), "username")).containsExactly(blocked.name());
	}

	@Test
	void theFileHasProfileFollowsPostsLikesAndBookmarks() {
		Visitor friend = Visitor.registered(this.site);
		this.visitor.follow(friend);
		String liked = friend.post("to be liked");
		this.visitor.get("/settings");
		this.visitor.submit("/settings/profile", "name", "Ada \"the first\"", "bio", "one\ntwo");
		String post = this.visitor.post("a \"post\"\nof mine");
		this.visitor.get("/posts/" + liked);
		this.visitor.submit("/posts/" + liked + "/like");
		this.visitor.submit("/posts/" + liked + "/bookmark");
		Awaitility.await().atMost(SOON).until(() -> exported().get("likes").size() == 1);
		Answer answer = this.visitor.get("/settings/export");
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.header("Content-Type")).startsWith("application/json");
		assertThat(answer.header("Content-Disposition"))
			.isEqualTo("attachment; filename=\"retwis-" + this.visitor.name() + ".json\"");
		JsonNode file = answer.json();
		assertThat(file.propertyNames()).containsExactly("profile", "sessions", "blocked", "bookmarks", "followers",
				"following", "likes", "mentions", "muted", "notifications", "posts", "reposts");
		assertThat(file.get("profile").get("username").asString()).isEqualTo(this.visitor.name());
		assertThat(file.get("profile").get("name").asString()).isEqualTo("Ada \"the first\"");
		assertThat(file.get("profile").get("bio").asString()).isEqualTo("one\ntwo");
		assertThat(texts(file.get("following"), "username")).containsExactly(friend.name());
		assertThat(texts(file.get("likes"), "post")).containsExactly(liked);
		assertThat(texts(file.get("bookmarks"), "post")).containsExactly(liked);
		assertThat(texts(file.get("posts"), "id")).containsExactly(post);
		assertThat(texts(file.get("posts"), "body")).containsExactly("a \"post\"\nof mine");
		assertThat(answer.body()).doesNotContain("bcrypt", "password");
	}

	@Test
	void theFileHasEachPostOfTheUserOnceAndTheIdsOfWhatTheUserReposted() {
		Visitor friend = Visitor.registered(this.site);
		String theirs = friend.post("the words of another");
		String mine = this.visitor.post("my words");
		for (String original : List.of(theirs, mine)) {
			assertThat(this.visitor.submit("/posts/" + original + "/repost").status()).isEqualTo(303);
		}
		this.visitor.submit("/@" + friend.name() + "/block");
		Awaitility.await().atMost(SOON).until(() -> exported().get("reposts").size() == 2);
		JsonNode file = exported();
		assertThat(texts(file.get("posts"), "id")).containsExactly(mine);
		assertThat(texts(file.get("posts"), "body")).containsExactly("my words");
		assertThat(file.get("posts").get(0).get("reposted_by").isNull()).isTrue();
		assertThat(texts(file.get("reposts"), "post")).containsExactly(theirs, mine);
		for (JsonNode repost : file.get("reposts")) {
			assertThat(repost.propertyNames()).containsExactly("post", "reposted_at");
			assertThat(Instant.parse(repost.get("reposted_at").asString())).isCloseTo(Instant.now(),
					within(SOON.multipliedBy(3)));
		}
	}

	@Test
	void theFileNamesARepostWhoseAuthorIsSuspended() {
		Visitor friend = Visitor.registered(this.site);
		String theirs = friend.post("reposted before");
		this.visitor.get("/home");
		this.visitor.submit("/posts/" + theirs + "/repost");
		Awaitility.await().atMost(SOON).until(() -> exported().get("reposts").size() == 1);
		this.site.bean(AccountSuspension.class).set(friend.id(), true).block(SOON);
		Awaitility.await().atMost(SOON).until(() -> this.visitor.get("/posts/" + theirs).status() == 404);
		assertThat(texts(exported().get("reposts"), "post")).containsExactly(theirs);
	}

	@Test
	void theFileHasTheUsersSessionsWithoutWhatWouldLetAnybodyIn() {
		this.visitor.get("/home");
		String sessions = this.visitor.get("/settings/export").json().get("sessions").toString();
		JsonNode session = new JsonMapper().readTree(sessions).get(0);
		assertThat(session.propertyNames()).containsExactly("browser", "system", "begun_at", "seen_at");
		assertThat(Instant.parse(session.get("begun_at").asString())).isCloseTo(Instant.now(),
				within(SOON.multipliedBy(3)));
		this.site.redis().hgetall(Keys.sessionsOf(this.visitor.id())).forEach((id, stored) -> {
			assertThat(sessions).as("id").doesNotContain(id);
			assertThat(sessions).as("hash of the token").doesNotContain(stored.split(" ")[0]);
		});
	}

	@Test
	void theFileHasFollowersMentionsAndNotifications() {
		Visitor friend = Visitor.registered(this.site);
		friend.follow(this.visitor);
		String mention = friend.post("hello @" + this.visitor.name());
		Awaitility.await()
			.atMost(SOON)
			.until(() -> exported().get("notifications").size() == 2 && exported().get("mentions").size() == 1);
		JsonNode file = exported();
		assertThat(texts(file.get("followers"), "username")).containsExactly(friend.name());
		assertThat(texts(file.get("mentions"), "post")).containsExactly(mention);
		assertThat(texts(file.get("notifications"), "type")).containsExactly("mention", "follow");
		assertThat(texts(file.get("notifications"), "username")).containsExactly(friend.name(), friend.name());
		assertThat(file.get("notifications").get(0).get("post").asString()).isEqualTo(mention);
		assertThat(file.get("notifications").get(1).has("post")).isFalse();
	}

	@Test
	void aNewUserGetsEmptyLists() {
		JsonNode file = exported();
		for (String list : List.of("bookmarks", "followers", "following", "likes", "mentions", "notifications", "posts",
				"reposts")) {
			assertThat(file.get(list).isArray()).isTrue();
			assertThat(file.get(list)).isEmpty();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void everyPostOfManyPagesIsThereOnceAndDeletedOnesAreNot() {
		this.visitor.get("/home");
		List<String> ids = IntStream.range(0, ExportPart.PAGE + 5)
			.mapToObj((i) -> this.visitor.postJson("body", "post " + i, "once", UUID.randomUUID().toString()))
			.map((made) -> made.json().get("posts").get(0).get("id").asString())
			.toList();
		this.visitor.get("/posts/" + ids.get(0));
		this.visitor.submit("/posts/" + ids.get(0) + "/delete");
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(
					() -> assertThat(texts(exported().get("posts"), "id")).isEqualTo(ids.subList(1, ids.size())));
	}

	@Test
	void aPageIsReadWhenTheReaderHasTakenTheOneBefore() {
		EndlessPart endless = new EndlessPart();
		AccountExport export = new AccountExport(List.of(endless), new JsonMapper());
		StepVerifier.create(export.of(USER, Optional.empty(), List.of()), 5)
			.expectNextCount(5)
			.then(() -> assertThat(endless.pages).hasValueLessThan(10))
			.thenRequest(50)
			.expectNextCount(50)
			.then(() -> assertThat(endless.pages).hasValueBetween(50, 60))
			.thenCancel()
			.verify(SOON);
	}

	@Test
	void whoDoesNotReadTheFileMakesTheSiteReadFewPagesAhead() throws IOException {
		EndlessPart endless = new EndlessPart();
		AccountExport export = new AccountExport(List.of(endless), new JsonMapper());
		HttpHandler handler = RouterFunctions.toHttpHandler(RouterFunctions.route()
			.GET("/export",
					(request) -> ExportHandler.file(request, "ada", export.of(USER, Optional.empty(), List.of())))
			.build());
		DisposableServer server = HttpServer.create()
			.host("127.0.0.1")
			.port(0)
			.handle(new ReactorHttpHandlerAdapter(handler))
			.bindNow(SOON);
		try (Socket reader = unread(server.port(), "/export", "")) {
			Awaitility.await().atMost(SOON).until(() -> endless.pages.get() > 0);
			Awaitility.await()
				.during(Duration.ofSeconds(1))
				.atMost(SOON)
				.untilAsserted(() -> assertThat(endless.pages).hasValueLessThan(40));
			assertThat(reader.isConnected()).isTrue();
		}
		finally {
			server.disposeNow(SOON);
		}
	}

	/** Asks for the file with a small receive buffer, and reads nothing of it. */
	private static Socket unread(int port, String path, String cookie) throws IOException {
		Socket socket = new Socket();
		socket.setReceiveBufferSize(4096);
		socket.connect(new InetSocketAddress("127.0.0.1", port));
		socket.getOutputStream()
			.write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nCookie: auth=" + cookie + "\r\n\r\n")
				.getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

	/** Takes the first piece of the file and no more. */
	private static Disposable beginReading(AccountExport export, User user) {
		return export.of(user, Optional.empty(), List.of()).subscribeWith(new BaseSubscriber<String>() {
			@Override
			protected void hookOnSubscribe(Subscription subscription) {
				subscription.request(1);
			}
		});
	}

	@Test
	void aSecondDownloadOfAUserWaitsForTheFirst() {
		Disposable first = beginReading(this.site.bean(AccountExport.class),
				User.fresh(this.visitor.id(), this.visitor.name(), "", 0));
		Answer refused = this.visitor.get("/settings/export");
		assertThat(refused.status()).isEqualTo(503);
		assertThat(refused.header("Retry-After")).isNotEmpty();
		assertThat(refused.header("Content-Type")).startsWith("text/html");
		assertThat(refused.header("Content-Disposition")).isEmpty();
		assertThat(Visitor.registered(this.site).get("/settings/export").status()).isEqualTo(200);
		first.dispose();
		assertThat(this.visitor.get("/settings/export").status()).isEqualTo(200);
	}

	@Test
	void downloadsAtOnceAreLimitedForAllUsersTogether() {
		AccountExport export = new AccountExport(List.of(), new JsonMapper());
		List<User> users = IntStream.rangeClosed(0, AccountExport.MOST)
			.mapToObj((i) -> User.fresh("user" + i, "user" + i, "", 0))
			.toList();
		List<Disposable> readers = users.subList(0, AccountExport.MOST)
			.stream()
			.map((user) -> beginReading(export, user))
			.toList();
		StepVerifier.create(export.of(users.get(AccountExport.MOST), Optional.empty(), List.of()))
			.verifyError(ProblemException.class);
		readers.get(0).dispose();
		StepVerifier.create(export.of(users.get(AccountExport.MOST), Optional.empty(), List.of()))
			.expectNextCount(2)
			.verifyComplete();
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aDownloadThatTheReaderBreaksOffDoesNotKeepTheNextOneOut() throws IOException {
		String cookie = this.visitor.cookie("auth");
		for (int i = 0; i < 300; i++) {
			try (Socket reader = unread(this.site.port(), "/settings/export", cookie)) {
				reader.setSoLinger(true, 0);
				LockSupport.parkNanos(i * 100_000L);
			}
		}
		Awaitility.await().atMost(SOON).until(() -> this.visitor.get("/settings/export").status() == 200);
	}

	@Test
	void signedOutVisitorsAreSentToTheLogIn() {
		assertThat(Visitor.of(this.site).get("/settings/export").location())
			.isEqualTo("/login?next=%2Fsettings%2Fexport");
	}

	private static final class EndlessPart implements ExportPart {

		private final AtomicInteger pages = new AtomicInteger();

		@Override
		public String name() {
			return "endless";
		}

		@Override
		public Mono<List<Cursor>> places(String userId, Optional<Cursor> after) {
			return Mono.fromSupplier(() -> {
				int page = this.pages.incrementAndGet();
				return IntStream.range(0, PAGE).mapToObj((i) -> new Cursor(page, "0AAAAAAAAAAAA")).toList();
			});
		}

		@Override
		public Mono<List<String>> items(List<Cursor> places) {
			return Mono.just(Collections.nCopies(places.size(), "x".repeat(1350)));
		}

	}

}
