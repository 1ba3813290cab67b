package live.retwis.bookmark;

import java.time.Duration;
import java.util.List;
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
import live.retwis.post.PostListRepository;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** A user keeps posts, and nobody else sees them. */
@ExtendWith(RedisExtension.class)
class BookmarkTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	/** Longer than the test holds a command. */
	private static final String PATIENT = "--spring.data.redis.timeout=8s";

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final Visitor reader = Visitor.registered(this.site);

	private Answer bookmark(String post) {
		return bookmark(this.reader, post);
	}

	private static Answer bookmark(Visitor visitor, String post) {
		visitor.get("/posts/" + post);
		return visitor.submit("/posts/" + post + "/bookmark");
	}

	/** Adds the oldest bookmarks, "kept-1" and later ones. */
	private static void keep(Site site, String key, int number) {
		site.redis()
			.zadd(key,
					IntStream.rangeClosed(1, number)
						.mapToObj((i) -> ScoredValue.just((double) i, "kept-" + i))
						.toArray(ScoredValue[]::new));
	}

	/** The script that adds a bookmark to this list. */
	private static Predicate<SentCommand> script(String key) {
		return SentCommand.named("EVALSHA").and(SentCommand.with(key));
	}

	@Test
	void theLatestBookmarkComesFirstAndEachPostOnce() {
		String first = this.author.post("first");
		String second = this.author.post("second");
		assertThat(bookmark(second).status()).isEqualTo(303);
		assertThat(bookmark(first).status()).isEqualTo(303);
		assertThat(bookmark(second).status()).as("again").isEqualTo(303);
		assertThat(this.reader.get("/bookmarks").postIds()).containsExactly(first, second);
		assertThat(this.reader.getJson("/bookmarks").json().get("posts")).hasSize(2);
		assertThat(this.author.get("/bookmarks").postIds()).isEmpty();
		assertThat(this.reader.get("/posts/" + first).body()).contains(">Remove bookmark<");
		assertThat(this.author.get("/posts/" + first).body()).contains(">Bookmark<");
	}

	@Test
	void aBookmarkGoesWhenItIsRemovedAndWhenItsPostIsDeleted() {
		String first = this.author.post("first");
		String second = this.author.post("second");
		bookmark(first);
		bookmark(second);
		assertThat(this.reader.submit("/posts/" + first + "/unbookmark").status()).isEqualTo(303);
		assertThat(this.reader.submit("/posts/" + first + "/unbookmark").status()).as("again").isEqualTo(303);
		assertThat(this.reader.get("/bookmarks").postIds()).containsExactly(second);
		this.author.get("/posts/" + second);
		this.author.submit("/posts/" + second + "/delete");
		assertThat(this.reader.get("/bookmarks").postIds()).isEmpty();
		assertThat(this.site.redis().exists(Keys.bookmarks(this.reader.id()))).isZero();
		assertThat(bookmark(second).status()).isEqualTo(404);
	}

	/** There is no archive that would have to be asked for them. */
	@Test
	void postsThatAreLostDoNotMakeAPageShort() {
		String key = Keys.bookmarks(this.reader.id());
		List<String> posts = IntStream.range(0, 25).mapToObj((number) -> this.author.post("kept " + number)).toList();
		posts.forEach((post) -> this.site.redis().zadd(key, -posts.indexOf(post), post));
		keep(this.site, key, 11);
		assertThat(this.reader.get("/bookmarks").postIds()).hasSize(20).allMatch(posts::contains);
	}

	@Test
	void aFullListTakesNoMoreAndLosesNone() {
		String key = Keys.bookmarks(this.reader.id());
		String kept = this.author.post("kept");
		keep(this.site, key, PostListRepository.MOST - 1);
		assertThat(bookmark(kept).status()).isEqualTo(303);
		Answer refused = bookmark(this.author.post("one too many"));
		assertThat(refused.status()).isEqualTo(422);
		assertThat(refused.body()).contains("Remove a bookmark first.");
		assertThat(bookmark(kept).status()).as("one of them").isEqualTo(303);
		assertThat(this.site.redis().zcard(key)).isEqualTo(PostListRepository.MOST);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aFullListLosesNoneToTwoRequestsAtOnce(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site one = Site.startAt("127.0.0.1", way.port(), PATIENT);
				Site other = Site.startAt("127.0.0.1", way.port(), PATIENT)) {
			Visitor here = Visitor.registered(one);
			Visitor there = here.sentTo(other.url(""));
			String key = Keys.bookmarks(here.id());
			String first = here.post("first");
			String second = here.post("second");
			bookmark(here, here.post("so that Redis knows the script"));
			keep(one, key, PostListRepository.MOST - 2);
			here.get("/posts/" + first);
			there.get("/posts/" + second);
			CompletableFuture<Answer> sent;
			CompletableFuture<Answer> also;
			try (Interception held = way.at(script(key)).holdCommand()) {
				sent = CompletableFuture.supplyAsync(() -> here.submit("/posts/" + first + "/bookmark"));
				also = CompletableFuture.supplyAsync(() -> there.submit("/posts/" + second + "/bookmark"));
				held.awaitMet(2);
			}
			assertThat(List.of(sent.join().status(), also.join().status())).containsExactlyInAnyOrder(303, 422);
			assertThat(one.redis().zcard(key)).isEqualTo(PostListRepository.MOST);
			assertThat(one.redis().zrange(key, 0, 0)).containsExactly("kept-1");
		}
	}

	@Test
	void whoIsNotSignedInIsAskedForThePassword() {
		Visitor stranger = Visitor.of(this.site);
		Answer page = stranger.get("/bookmarks");
		assertThat(page.status()).isEqualTo(303);
		assertThat(page.location()).isEqualTo("/login?next=%2Fbookmarks");
	}

	@Test
	void theBookmarksOfADeletedAccountAreRemoved() {
		bookmark(this.author.post("kept"));
		String key = Keys.bookmarks(this.reader.id());
		this.reader.get("/settings");
		this.reader.submit("/settings/delete", "password", Visitor.PASSWORD);
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().exists(key) == 0);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aBookmarkThatArrivesAfterTheAccountIsDeletedIsRemoved(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site fast = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), PATIENT, "--retwis.fan-out.worker=false")) {
			Visitor leaver = Visitor.registered(fast);
			Visitor there = leaver.sentTo(slow.url(""));
			String key = Keys.bookmarks(leaver.id());
			String post = Visitor.registered(fast).post("kept");
			bookmark(leaver, leaver.post("so that Redis knows the script"));
			there.get("/posts/" + post);
			leaver.get("/settings");
			CompletableFuture<Answer> late;
			try (Interception held = way.at(script(key)).holdCommand()) {
				late = CompletableFuture.supplyAsync(() -> there.submit("/posts/" + post + "/bookmark"));
				held.awaitMet();
				leaver.submit("/settings/delete", "password", Visitor.PASSWORD);
				Awaitility.await().atMost(SOON).until(() -> fast.redis().exists(key) == 0);
			}
			late.join();
			assertThat(fast.redis().exists(key)).isZero();
		}
	}

}
