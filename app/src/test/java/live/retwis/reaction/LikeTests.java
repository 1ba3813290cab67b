package live.retwis.reaction;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Likes count once for each user, live on every open page, and are taken back. */
class LikeTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	private static final int USERS = 8;

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final Visitor reader = Visitor.registered(this.site);

	private final String post = this.author.post("to be liked");

	private static Answer like(Visitor visitor, String post) {
		visitor.get("/posts/" + post);
		return visitor.submit("/posts/" + post + "/like");
	}

	private static Answer unlike(Visitor visitor, String post) {
		visitor.get("/posts/" + post);
		return visitor.submit("/posts/" + post + "/unlike");
	}

	/** What a page shows beside a post's button. */
	private static String shown(Visitor visitor, String path, String post) {
		return visitor.get(path).find("formaction=\"/posts/" + post + "/like\"( data-count=\"\\d+\")?>");
	}

	private void awaitLikes(int likes) {
		String count = (likes > 0) ? " data-count=\"" + likes + "\"" : "";
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(this.reader.get("/timeline").body())
				.contains("formaction=\"/posts/" + this.post + "/like\"" + count + ">"));
	}

	@Test
	void aLikeCountsOnceWhateverIsSentAndStandsInTheListsAfterAReload() {
		Answer sent = like(this.reader, this.post);
		assertThat(sent.status()).isEqualTo(303);
		assertThat(like(this.reader, this.post).status()).isEqualTo(303);
		awaitLikes(1);
		assertThat(like(this.author, this.post).status()).as("one's own post").isEqualTo(303);
		awaitLikes(2);
		assertThat(unlike(this.reader, this.post).status()).isEqualTo(303);
		assertThat(unlike(this.reader, this.post).status()).isEqualTo(303);
		awaitLikes(1);
		assertThat(this.author.get("/@" + this.author.name()).body())
			.contains("formaction=\"/posts/" + this.post + "/like\" data-count=\"1\">");
	}

	@Test
	void thePageOfThePostSaysWhetherItsReaderLikesItAndWhoDoes() {
		assertThat(this.reader.get("/posts/" + this.post).body()).contains("/like\">Like<").doesNotContain(">Unlike<");
		like(this.reader, this.post);
		assertThat(this.reader.get("/posts/" + this.post).body()).contains("/unlike\">Unlike<");
		assertThat(this.reader.getJson("/reactions?posts=" + this.post + ",nothing").json().get("likes"))
			.hasToString("[\"" + this.post + "\"]");
		Visitor stranger = Visitor.of(this.site);
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(stranger.get("/posts/" + this.post + "/likes").body())
				.contains("@" + this.reader.name() + "</a>"));
		unlike(this.reader, this.post);
		assertThat(this.reader.get("/posts/" + this.post).body()).contains("/like\">Like<");
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(stranger.get("/posts/" + this.post + "/likes").body())
				.contains("Nobody likes this post yet."));
	}

	@Test
	void manyLikesAtOnceAreToldToOpenPagesAndTheLastNumberIsRight() {
		List<Visitor> users = IntStream.range(0, USERS).mapToObj((i) -> Visitor.registered(this.site)).toList();
		users.forEach((user) -> user.get("/posts/" + this.post));
		try (EventStream stream = Visitor.of(this.site).open("/live/public")) {
			stream.await((event) -> event.name().equals("position"));
			CompletableFuture
				.allOf(users.stream()
					.map((user) -> CompletableFuture.runAsync(() -> user.submit("/posts/" + this.post + "/like")))
					.toArray(CompletableFuture[]::new))
				.join();
			stream.await((event) -> event.name().equals("counts") && event.data().contains(this.post)
					&& event.data().contains("\"likes\":" + USERS));
			awaitLikes(USERS);
			assertThat(stream.events("counts").stream().filter((event) -> event.data().contains(this.post))).last()
				.satisfies((event) -> assertThat(event.data())
					.isEqualTo("{\"post\":\"" + this.post + "\",\"replies\":0,\"likes\":" + USERS + ",\"reposts\":0}"));
		}
	}

	@Test
	void aLikeThatNeverCameIntoTheLogCountsForNobodyAndIsDoneByTheNextTry() {
		String key = Keys.likes(this.post);
		this.site.redis().zadd(key, (double) -System.currentTimeMillis(), this.reader.id());
		assertThat(this.author.get("/posts/" + this.post + "/likes").body()).contains("Nobody likes this post yet.");
		like(this.author, this.post);
		awaitLikes(1);
		like(this.reader, this.post);
		awaitLikes(2);
		double liked = this.site.redis().zscore(key, this.reader.id());
		this.site.redis().zadd(key, liked + 0.5, this.reader.id());
		assertThat(this.author.get("/posts/" + this.post + "/likes").body()).as("as before")
			.contains("@" + this.reader.name() + "</a>");
		unlike(this.reader, this.post);
		awaitLikes(1);
		assertThat(this.site.redis().zscore(key, this.reader.id())).isNull();
	}

	@Test
	void likesGoWithTheAccountThatMadeThemAndWithThePost() {
		String readerId = this.reader.id();
		like(this.reader, this.post);
		awaitLikes(1);
		this.reader.get("/settings");
		assertThat(this.reader.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		Visitor stranger = Visitor.of(this.site);
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(shown(stranger, "/@" + this.author.name(), this.post)).isNullOrEmpty());
		assertThat(this.site.redis().exists(Keys.liked(readerId))).isZero();
		like(this.author, this.post);
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().zcard(Keys.likes(this.post)) == 1);
		this.author.get("/posts/" + this.post);
		assertThat(this.author.submit("/posts/" + this.post + "/delete").status()).isEqualTo(303);
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().ttl(Keys.likes(this.post)) > 0);
	}

	@Test
	void whoIsNotSignedInIsTakenToTheLogInAndWhatIsNotThereIsNotFound() {
		Visitor stranger = Visitor.of(this.site);
		assertThat(stranger.get("/posts/" + this.post + "/like").location())
			.isEqualTo("/login?next=%2Fposts%2F" + this.post);
		assertThat(stranger.getJson("/reactions?posts=" + this.post).status()).isEqualTo(401);
		assertThat(this.reader.get("/posts/" + this.post + "/like").location()).isEqualTo("/posts/" + this.post);
		assertThat(stranger.get("/posts/0/likes").status()).isEqualTo(404);
		this.reader.get("/home");
		assertThat(this.reader.submit("/posts/0000000000000/like").status()).isEqualTo(404);
		assertThat(this.reader.submit("/posts/x/like").status()).isEqualTo(404);
		this.reader.get("/posts/" + this.post);
		assertThat(this.reader.submit("/posts/" + this.post + "/like", "_csrf", "forged").status()).isEqualTo(403);
	}

	@Test
	void aReplyIsCountedInTheListsAfterAReloadToo() {
		this.reader.get("/posts/" + this.post);
		this.reader.submit("/posts", "body", "an answer", "once", UUID.randomUUID().toString(), "reply_to", this.post);
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(this.author.get("/@" + this.author.name()).body())
				.contains("<a class=\"reply\" href=\"/posts/" + this.post + "#reply\" data-count=\"1\">"));
	}

}
