package live.retwis.reaction;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import io.lettuce.core.ScoredValue;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLog;
import live.retwis.log.Intent;
import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** Likes count once for each user, live on every open page, and are taken back. */
@ExtendWith(RedisExtension.class)
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
	void aLikeLeadsBackToItsPostWhateverTheAddressOfThePageSays() {
		for (String page : List.of("/timeline", "/timeline#post-1", "/timeline#")) {
			assertThat(this.reader.submitFrom(page, "/posts/" + this.post + "/like").location()).as(page)
				.isEqualTo("/timeline#post-" + this.post);
		}
	}

	@Test
	void theAnswerTellsWhetherAnythingChanged() {
		this.reader.get("/posts/" + this.post);
		for (String action : List.of("like", "unlike", "repost", "unrepost")) {
			String path = "/posts/" + this.post + "/" + action;
			assertThat(this.reader.submitJson(path).json().get("changed").asBoolean()).as(action).isTrue();
			assertThat(this.reader.submitJson(path).json().get("changed").asBoolean()).as(action + " again").isFalse();
		}
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
				.contains("@" + this.reader.name() + " <bdi"));
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
	@Tag("slow")
	@Tag("long")
	void aLikeIsSeenByItsUserAfterTwoCommandsAndCountsThoughItsInstanceDies(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site survivor = Site.start(redis);
				Site dying = Site.startAt("127.0.0.1", way.port(), "--retwis.fan-out.worker=false")) {
			String liked = Visitor.registered(survivor).post("liked at an instance that dies");
			Visitor user = Visitor.registered(survivor);
			Visitor there = user.sentTo(dying.url(""));
			assertThat(there.get("/posts/" + liked).status()).isEqualTo(200);
			Predicate<SentCommand> ofTheLike = (command) -> command.arguments().contains(Keys.liked(user.id()))
					|| command.arguments().contains(Keys.INTENTS);
			Predicate<SentCommand> logs = ofTheLike.and(SentCommand.with(Keys.LOG));
			try (Interception steps = way.at(ofTheLike.and(SentCommand.named("EVALSHA"))).watch();
					Interception entry = way.at(logs).holdCommand()) {
				assertThat(there.submit("/posts/" + liked + "/like").status()).isEqualTo(303);
				entry.awaitMet();
				assertThat(steps.met()).as("two before the entry").isEqualTo(3);
				assertThat(user.get("/posts/" + liked).body()).contains(">Unlike<");
				Awaitility.await()
					.atMost(SOON.multipliedBy(2))
					.until(() -> " data-count=\"1\"".equals(shown(user, "/timeline", liked)));
			}
		}
	}

	@Test
	void aChangeThatWasNeverLoggedCountsOnceItIsFinishedWhateverItWas() {
		String key = Keys.liked(this.reader.id());
		this.site.redis().zadd(key, System.currentTimeMillis(), this.post);
		finishLike();
		awaitLikes(1);
		this.site.redis().zrem(key, this.post);
		finishLike();
		awaitLikes(0);
		assertThat(this.site.redis().exists(Keys.likes(this.post))).isZero();
	}

	private void finishLike() {
		Intent intent = Intent.of(Intent.Kind.REACTION, this.reader.id(),
				String.join(":", "LIKE", this.post, this.author.id()));
		this.site.redis().zadd(Keys.INTENTS, 1, intent.text());
	}

	@Test
	void anEntryThatComesLateDoesNotUndoWhatItsUserDidSince() {
		ReactionRepository reactions = this.site.bean(ReactionRepository.class);
		like(this.reader, this.post);
		awaitLikes(1);
		unlike(this.reader, this.post);
		awaitLikes(0);
		reactions.settle(Reaction.LIKE, this.post, this.reader.id()).block(SOON);
		assertThat(this.site.redis().exists(Keys.likes(this.post), Keys.liked(this.reader.id()))).isZero();
	}

	@Test
	void aLikeOfADeletedPostLeavesNothing() {
		this.author.get("/posts/" + this.post);
		assertThat(this.author.submit("/posts/" + this.post + "/delete").status()).isEqualTo(303);
		this.site.redis().zadd(Keys.liked(this.reader.id()), System.currentTimeMillis(), this.post);
		finishLike();
		Awaitility.await()
			.atMost(SOON)
			.until(() -> this.site.redis().exists(Keys.likes(this.post), Keys.liked(this.reader.id())) == 0);
	}

	@Test
	void openPagesAreToldOfTheLikesThatGoWithAnAccount() {
		try (EventStream stream = Visitor.of(this.site).open("/live/public")) {
			like(this.reader, this.post);
			stream.await((event) -> isCountOf(event, 1));
			this.reader.get("/settings");
			assertThat(this.reader.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
			stream.await((event) -> isCountOf(event, 0));
		}
	}

	private boolean isCountOf(EventStream.Event event, int likes) {
		return event.name().equals("counts") && event.data()
			.equals("{\"post\":\"" + this.post + "\",\"replies\":0,\"likes\":" + likes + ",\"reposts\":0}");
	}

	@Test
	void theOlderLikesOfADeletedAccountAreOneEntryOfTheLogAndOneWasNeverLogged() {
		List<String> posts = IntStream.range(0, 5).mapToObj((i) -> this.author.post("liked " + i)).toList();
		posts.subList(0, 4).forEach((liked) -> like(this.reader, liked));
		Awaitility.await()
			.atMost(SOON)
			.until(() -> posts.subList(0, 4).stream().allMatch((liked) -> counted(liked).equals("1")));
		FanOutWait.settle(this.site);
		this.site.redis().zadd(Keys.liked(this.reader.id()), System.currentTimeMillis(), posts.get(4));
		String id = this.reader.id();
		IntStream.range(0, ReactionsRemovalStep.TOLD)
			.forEach((i) -> this.site.redis()
				.zadd(Keys.liked(id), System.currentTimeMillis() + 1000, "%013d".formatted(i)));
		CommitLog log = this.site.bean(CommitLog.class);
		Mono<LogPosition> before = log.head().cache();
		before.block(SOON);
		this.reader.get("/settings");
		assertThat(this.reader.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().exists(Keys.liked(id)) == 0);
		assertThat(posts).allSatisfy((liked) -> {
			assertThat(this.site.redis().exists(Keys.likes(liked))).isZero();
			assertThat(counted(liked)).isIn("0", "");
		});
		List<LogEntry> entries = before.flatMapMany((last) -> log.from(last, 100))
			.flatMapIterable((all) -> all.subList(1, all.size()))
			.collectList()
			.block(SOON);
		assertThat(entries).filteredOn((entry) -> entry.recounted().containsAll(posts)).hasSize(1);
		assertThat(entries).filteredOn((entry) -> entry.type() == LogEntry.Type.COUNTS && posts.contains(entry.post()))
			.isEmpty();
		Visitor stranger = Visitor.of(this.site);
		assertThat(posts).allSatisfy((liked) -> Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(shown(stranger, "/@" + this.author.name(), liked)).isNullOrEmpty()));
	}

	@Test
	void aDamagedListOfLikesDoesNotKeepTheOthersAndEachIsToldOfOnce() {
		List<String> posts = IntStream.range(0, 20).mapToObj((i) -> this.author.post("liked " + i)).toList();
		String id = this.reader.id();
		IntStream.range(0, 20).forEach((i) -> {
			this.site.redis().zadd(Keys.liked(id), i, posts.get(i));
			this.site.redis().zadd(Keys.likes(posts.get(i)), i, id);
		});
		String broken = Keys.likes(posts.get(19));
		this.site.redis().del(broken);
		this.site.redis().set(broken, "no list");
		CommitLog log = this.site.bean(CommitLog.class);
		Mono<LogPosition> before = log.head().cache();
		before.block(SOON);
		ReactionsRemovalStep step = this.site.bean(ReactionsRemovalStep.class);
		for (int i = 0; i < 3; i++) {
			step.removeSome(id).block(SOON);
		}
		assertThat(this.site.redis().exists(Keys.liked(id))).isZero();
		this.site.redis().del(broken);
		List<LogEntry> entries = before.flatMapMany((last) -> log.from(last, 100))
			.flatMapIterable((all) -> all.subList(1, all.size()))
			.filter((entry) -> entry.type() == LogEntry.Type.COUNTS)
			.collectList()
			.block(SOON);
		assertThat(entries).extracting(LogEntry::post)
			.filteredOn(posts::contains)
			.containsExactlyInAnyOrderElementsOf(posts.subList(0, 19));
	}

	private String counted(String postId) {
		return Optional.ofNullable(this.site.redis().hget(Keys.post(postId), "likes")).orElse("");
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
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().exists(Keys.liked(readerId)) == 0);
		like(this.author, this.post);
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().zcard(Keys.likes(this.post)) == 1);
		this.author.get("/posts/" + this.post);
		assertThat(this.author.submit("/posts/" + this.post + "/delete").status()).isEqualTo(303);
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().exists(Keys.likes(this.post)) == 0);
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().exists(Keys.liked(this.author.id())) == 0);
	}

	@Test
	void aDeletedPostIsNoLongerAmongThePostsOfItsManyLikers() {
		like(this.reader, this.post);
		awaitLikes(1);
		List<String> others = IntStream.range(0, 1100).mapToObj("0%012d"::formatted).toList();
		others.forEach((user) -> this.site.redis().zadd(Keys.liked(user), 1, this.post));
		this.site.redis()
			.zadd(Keys.likes(this.post),
					others.stream().map((user) -> ScoredValue.just(1.0, user)).toArray(ScoredValue[]::new));
		this.author.get("/posts/" + this.post);
		assertThat(this.author.submit("/posts/" + this.post + "/delete").status()).isEqualTo(303);
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().exists(Keys.likes(this.post)) == 0);
		assertThat(others).allSatisfy((user) -> assertThat(this.site.redis().exists(Keys.liked(user))).isZero());
		assertThat(this.site.redis().exists(Keys.liked(this.reader.id()))).isZero();
		assertThat(this.reader.get("/settings/export").json().get("likes")).isEmpty();
	}

	@Test
	void whoLikesTheMostPostsThatArePossibleLosesNoneAndIsToldSo() {
		String key = Keys.liked(this.reader.id());
		this.site.redis()
			.zadd(key,
					IntStream.range(1, ReactionRepository.MOST)
						.mapToObj((i) -> ScoredValue.just((double) i, "liked-" + i))
						.toArray(ScoredValue[]::new));
		try {
			assertThat(like(this.reader, this.post).status()).isEqualTo(303);
			awaitLikes(1);
			String more = this.author.post("one too many");
			Answer refused = like(this.reader, more);
			assertThat(refused.status()).isEqualTo(422);
			assertThat(refused.body()).contains("You like 100,000 posts already", "Take a like back first.");
			assertThat(this.reader.submit("/posts/" + more + "/like?lang=zh").body()).contains("请先取消一些赞。");
			assertThat(like(this.reader, this.post).status()).as("one of them").isEqualTo(303);
			assertThat(this.site.redis().zcard(key)).isEqualTo(ReactionRepository.MOST);
			assertThat(this.site.redis().zrange(key, 0, 0)).containsExactly("liked-1");
			assertThat(this.site.redis().zrange(Keys.INTENTS, 0, -1))
				.noneMatch((intent) -> intent.startsWith("reaction") && intent.contains(more));
			assertThat(unlike(this.reader, this.post).status()).isEqualTo(303);
			assertThat(like(this.reader, more).status()).as("now there is room").isEqualTo(303);
		}
		finally {
			this.site.redis().del(key);
		}
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
