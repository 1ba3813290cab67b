package live.retwis.timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.lettuce.core.Range;
import io.lettuce.core.RestoreArgs;
import live.retwis.fanout.FanOutDispatcher;
import live.retwis.fanout.FanOutQueue;
import live.retwis.fanout.FanOutTaskQueue;
import live.retwis.fanout.PendingFanOutIndex;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLogListener;
import live.retwis.log.LogEntry;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.LogLength;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A page is complete up to its position, even if fan-out is behind.
 */
@ExtendWith(RedisExtension.class)
class PagesBesideFanOutTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final String NO_WORKER = "--retwis.fan-out.worker=false";

	private static String newest(Site site) {
		return site.redis().xrevrange("{live}:log", Range.unbounded()).get(0).getId();
	}

	/**
	 * A page says that it is complete up to the newest entry as soon as its instance has
	 * read that entry. How many notifications somebody has not read may be logged at any
	 * time, so the page may not know of that yet.
	 */
	private static void assertUpToDate(Site site, Answer page) {
		String position = page.live().replaceAll(".*after=([0-9-]+)\\..*", "$1");
		assertThat(site.redis()
			.xrange(Keys.LOG, Range.from(Range.Boundary.excluding(position), Range.Boundary.unbounded())))
			.allMatch((entry) -> LogEntry.Type.NOTIFY.text().equals(entry.getBody().get("type")));
	}

	private static void awaitHeard(Site site) {
		Visitor stranger = Visitor.of(site);
		Awaitility.await().atMost(BOUND).until(() -> stranger.get("/timeline").live().contains(newest(site)));
	}

	private static void delete(Visitor author, String post) {
		author.get("/home");
		assertThat(author.submit("/posts/" + post + "/delete").status()).isEqualTo(303);
	}

	/** The listeners are prepared in this order. */
	@Test
	void listsAreKeptOnlyOnceItIsKnownWhatFanOutHasNotProcessed() {
		List<Class<?>> order = new ArrayList<>();
		Site.shared().beans(CommitLogListener.class).forEach((listener) -> order.add(listener.getClass()));
		assertThat(order).containsSubsequence(PendingFanOutIndex.class, PulledPostCache.class)
			.containsSubsequence(PendingFanOutIndex.class, OlderAuthorPostsCache.class);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void postsFollowsAndDeletionsShowAtOnceWhileFanOutIsStopped(@OwnRedis TestRedis redis) {
		Visitor reader;
		Visitor followed;
		Visitor dropped;
		Visitor found;
		String goes;
		try (Site worker = Site.start(redis)) {
			reader = Visitor.registered(worker);
			followed = Visitor.registered(worker);
			dropped = Visitor.registered(worker);
			found = Visitor.registered(worker);
			reader.follow(followed);
			reader.follow(dropped);
			found.post("found 1");
			followed.post("stays");
			goes = followed.post("goes");
			dropped.post("dropped");
			found.post("found 2");
			FanOutWait.settle(worker);
			assertThat(reader.get("/home").posts()).containsExactly("dropped", "goes", "stays");
		}
		try (Site site = Site.start(redis, NO_WORKER); Site other = Site.start(redis, NO_WORKER)) {
			String origin = site.url("");
			followed.sentTo(origin).post("new");
			dropped.sentTo(origin).post("#beside");
			delete(followed.sentTo(origin), goes);
			Visitor here = reader.sentTo(origin);
			here.follow(found);
			here.unfollow(dropped);
			for (Site instance : List.of(site, other)) {
				awaitHeard(instance);
				Visitor same = reader.sentTo(instance.url(""));
				Answer home = same.get("/home");
				assertThat(home.posts()).containsExactly("new", "found 2", "stays", "found 1");
				assertUpToDate(instance, home);
				Answer profile = same.get("/@" + followed.name());
				assertThat(profile.posts()).containsExactly("new", "stays");
				assertUpToDate(instance, profile);
				Answer tag = same.get("/tags/beside");
				assertThat(tag.texts()).containsExactly("#beside");
				assertUpToDate(instance, tag);
				try (EventStream stream = same.open(home.live())) {
					String next = followed.sentTo(origin).post("next at " + instance.port());
					stream.awaitPost("next at " + instance.port());
					assertThat(stream.events("post")).hasSize(1);
					assertThat(stream.events("reset")).isEmpty();
					delete(followed.sentTo(origin), next);
				}
			}
			try (Site late = Site.start(redis, NO_WORKER)) {
				awaitHeard(late);
				assertThat(reader.sentTo(late.url("")).get("/home").posts()).containsExactly("new", "found 2", "stays",
						"found 1");
			}
			try (Site worker = Site.start(redis)) {
				FanOutWait.settle(worker);
				for (Site instance : List.of(site, other, worker)) {
					assertThat(reader.sentTo(instance.url("")).get("/home").posts()).containsExactly("new", "found 2",
							"stays", "found 1");
				}
			}
		}
	}

	/** Nor does it need its entry once it has begun. */
	@Test
	@Tag("slow")
	@Tag("long")
	void theRemovalOfAnAccountDelaysNoPageAndIsAnnouncedOnce(@OwnRedis TestRedis redis) {
		Visitor reader;
		Visitor friend;
		Visitor leaver;
		List<String> posts;
		try (Site worker = Site.start(redis)) {
			reader = Visitor.registered(worker);
			friend = Visitor.registered(worker);
			leaver = Visitor.registered(worker);
			reader.follow(leaver);
			reader.follow(friend);
			friend.post("before");
			Visitor writer = leaver;
			posts = IntStream.range(0, 60).mapToObj((i) -> writer.post("left " + i)).toList();
			FanOutWait.settle(worker);
		}
		String id = leaver.id();
		try (Site site = Site.start(redis, NO_WORKER);
				EventStream everyone = Visitor.of(site).open("/live/public");
				EventStream home = reader.sentTo(site.url("")).open("/live/home")) {
			List.of(everyone, home).forEach((stream) -> stream.await((event) -> event.name().equals("position")));
			Visitor here = reader.sentTo(site.url(""));
			String before = here.get("/home").live();
			assertThat(here.get("/timeline").posts()).contains("left 59");
			Visitor there = leaver.sentTo(site.url(""));
			there.get("/settings");
			assertThat(there.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
			for (EventStream stream : List.of(everyone, home)) {
				assertThat(stream.await((event) -> event.name().equals("gone")).data()).isEqualTo(id);
			}
			friend.sentTo(site.url("")).post("after");
			awaitHeard(site);
			Answer page = here.get("/home");
			assertThat(page.posts()).containsExactly("after", "before");
			assertUpToDate(site, page);
			assertThat(here.get("/timeline").posts()).containsExactly("after", "before");
			assertThat(here.get("/posts/" + posts.get(0)).status()).isEqualTo(404);
			try (EventStream resumed = here.open(before)) {
				resumed.await((event) -> event.name().equals("gone"));
				resumed.awaitPost("after");
			}
			processEntries(site);
			site.bean(FanOutQueue.class).trim(Duration.ZERO, 1).block(BOUND);
			long entries = LogLength.of(site);
			assertThat(site.redis().xlen(Keys.LOG)).as("the log has lost the removal").isOne();
			assertThat(site.redis().zcard(Keys.postsOf(id))).as("which has hardly begun").isPositive();
			try (Site late = Site.start(redis)) {
				FanOutWait.settle(late);
				assertThat(site.redis().exists(Keys.postsOf(id), Keys.following(id))).isZero();
				awaitHeard(late);
				assertThat(reader.sentTo(late.url("")).get("/home").posts()).containsExactly("after", "before");
				assertThat(LogLength.of(site)).as("the freed name").isEqualTo(entries + 1);
			}
			for (EventStream stream : List.of(everyone, home)) {
				assertThat(stream.events("gone")).hasSize(1);
				assertThat(stream.events("delete")).isEmpty();
				assertThat(stream.events("reset")).isEmpty();
			}
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPulledPostIsOnAPageThatReadTheAuthorsListBeforeAWorkerAddedIt(@OwnRedis TestRedis redis) {
		String[] settings = { "--retwis.timeline.push-limit=2", NO_WORKER };
		try (Site site = Site.start(redis, settings)) {
			Visitor author = Visitor.registered(site);
			List<Visitor> readers = IntStream.range(0, 3).mapToObj((i) -> Visitor.registered(site)).toList();
			readers.forEach((reader) -> reader.follow(author));
			author.post("first");
			String pulled = author.post("second");
			awaitHeard(site);
			site.redis().zrem("pulled:" + author.id(), pulled);
			Visitor reader = readers.get(0);
			assertThat(reader.get("/home").posts()).containsExactly("second", "first");
			try (Site worker = Site.start(redis, settings[0])) {
				FanOutWait.settle(worker);
			}
			author.post("third");
			awaitHeard(site);
			Awaitility.await()
				.during(Duration.ofSeconds(2))
				.atMost(BOUND)
				.until(() -> reader.get("/home").posts().equals(List.of("third", "second", "first")));
			assertUpToDate(site, reader.get("/home"));
		}
	}

	/** Processes all entries, but none of the tasks that they are split into. */
	private static void processEntries(Site site) {
		FanOutQueue queue = site.bean(FanOutQueue.class);
		Flux.defer(queue::next)
			.repeat()
			.takeWhile((entries) -> !entries.isEmpty())
			.concatMapIterable((entries) -> entries)
			.concatMap((entry) -> site.bean(FanOutDispatcher.class).apply(entry).then(queue.done(entry)))
			.blockLast(BOUND);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPostWithUnfinishedTasksIsOnPagesEvenWhenTheLogNoLongerHasIt(@OwnRedis TestRedis redis) {
		String[] settings = { "--retwis.follow.shard=2", NO_WORKER };
		try (Site site = Site.start(redis, settings)) {
			Visitor author = Visitor.registered(site);
			List<Visitor> readers = IntStream.range(0, 3).mapToObj((i) -> Visitor.registered(site)).toList();
			readers.forEach((reader) -> reader.follow(author));
			Visitor reader = readers.get(0);
			reader.post("own");
			site.bean(FanOutQueue.class).next().block(BOUND);
			processEntries(site);
			author.post("the post");
			author.post("the other post");
			String last = newest(site);
			processEntries(site);
			IntStream.range(0, 3).forEach((i) -> Visitor.registered(site).post("later " + i));
			processEntries(site);
			site.bean(FanOutQueue.class).trim(Duration.ZERO, 1).block(BOUND);
			assertThat(site.redis().xrange(Keys.LOG, Range.create(last, last))).isEmpty();
			assertThat(site.redis().zcard(Keys.UNFINISHED)).isPositive();
			try (Site late = Site.start(redis, settings)) {
				awaitHeard(late);
				Visitor here = reader.sentTo(late.url(""));
				assertThat(here.get("/home").posts()).containsExactly("the other post", "the post", "own");
				assertUpToDate(late, here.get("/home"));
				try (Site worker = Site.start(redis, settings[0])) {
					FanOutWait.settle(worker);
				}
				Awaitility.await().atMost(BOUND).until(() -> late.bean(PendingFanOutIndex.class).authors() == 0);
				assertThat(here.get("/home").posts()).containsExactly("the other post", "the post", "own");
			}
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void theStreamRemovesADeletedPostThatIsStillOnThePage(@OwnRedis TestRedis redis) {
		try (FaultProxy proxy = redis.proxy();
				Site deaf = Site.startAt("127.0.0.1", proxy.port(), NO_WORKER);
				Site site = Site.start(redis, NO_WORKER)) {
			Visitor author = Visitor.registered(site);
			String goes = author.post("goes");
			awaitHeard(deaf);
			Visitor reader = Visitor.of(deaf);
			assertThat(reader.get("/timeline").posts()).containsExactly("goes");
			Interception silence = proxy.silence("SUBSCRIBE");
			delete(author, goes);
			Answer page = reader.get("/timeline");
			assertThat(silence.met()).isPositive();
			assertThat(page.postIds()).as("not heard yet").contains(goes);
			try (EventStream stream = reader.open(page.live())) {
				stream.await((event) -> event.name().equals("delete") && event.data().equals(goes));
			}
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPageShowsATimelineThatIsBuiltWhileThePageIsMade(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site site = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), NO_WORKER)) {
			Visitor author = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			reader.follow(author);
			author.post("first");
			author.post("second");
			FanOutWait.settle(site);
			String key = Keys.homeTimeline(reader.id());
			site.redis().del(key, Keys.homeCompleteFrom(reader.id()));
			Visitor tab = reader.sentTo(slow.url(""));
			CompletableFuture<Answer> page;
			try (Interception held = way.at(SentCommand.named("ZCARD").and(SentCommand.with(key))).holdCommand()) {
				page = CompletableFuture.supplyAsync(() -> tab.get("/home"));
				held.awaitMet();
				assertThat(reader.get("/home").posts()).containsExactly("second", "first");
				Awaitility.await().atMost(BOUND).until(() -> site.redis().exists(key) == 1);
			}
			assertThat(page.join().posts()).containsExactly("second", "first");
		}
	}

	/**
	 * Runs something that is lost afterwards, as in a fail-over to a replica that had not
	 * received it.
	 */
	private static void losing(Site site, Runnable deed) {
		Map<String, byte[]> before = new HashMap<>();
		site.keys("*").forEach((key) -> before.put(key, site.redis().dump(key)));
		deed.run();
		site.keys("*").stream().filter((key) -> !before.containsKey(key)).forEach((key) -> site.redis().del(key));
		before.forEach((key, value) -> site.redis().restore(key, value, new RestoreArgs().replace()));
	}

	/** The instance has heard of all posts, and knows that they are fanned out. */
	private static void awaitForgotten(Site site) {
		awaitHeard(site);
		Awaitility.await().atMost(BOUND).until(() -> site.bean(PendingFanOutIndex.class).authors() == 0);
	}

	private static void processTasks(Site site) {
		FanOutTaskQueue queue = site.bean(FanOutTaskQueue.class);
		Flux.defer(queue::next)
			.repeat()
			.takeWhile((pieces) -> !pieces.isEmpty())
			.concatMapIterable((pieces) -> pieces)
			.concatMap((piece) -> site.bean(FanOutDispatcher.class).apply(piece).then(queue.done(piece)))
			.blockLast(BOUND);
	}

	/**
	 * Three users follow an author, and one of them has a post. All of this is fanned
	 * out.
	 */
	private static List<Visitor> authorAndReaders(Site site) {
		Visitor author = Visitor.registered(site);
		List<Visitor> readers = IntStream.range(0, 3).mapToObj((i) -> Visitor.registered(site)).toList();
		readers.forEach((reader) -> reader.follow(author));
		readers.get(0).post("own");
		site.bean(FanOutQueue.class).next().block(BOUND);
		site.bean(FanOutTaskQueue.class).next().block(BOUND);
		processEntries(site);
		author.post("the post");
		return List.of(author, readers.get(0));
	}

	@Test
	@Tag("slow")
	void aPostWhoseFanOutAFailOverLosesIsOnPagesAgain(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, NO_WORKER)) {
			Visitor reader = authorAndReaders(site).get(1);
			losing(site, () -> {
				processEntries(site);
				awaitForgotten(site);
			});
			awaitHome(reader, "the post", "own");
			List<LogEntry> taken = site.bean(FanOutQueue.class).next().blockOptional(BOUND).orElseThrow();
			losing(site, () -> {
				taken.forEach((entry) -> site.bean(FanOutDispatcher.class)
					.apply(entry)
					.then(site.bean(FanOutQueue.class).done(entry))
					.block(BOUND));
				awaitForgotten(site);
			});
			awaitHome(reader, "the post", "own");
		}
	}

	@Test
	void aPostWhoseFanOutTasksAFailOverLosesIsOnPagesAgain(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, NO_WORKER, "--retwis.follow.shard=2")) {
			Visitor reader = authorAndReaders(site).get(1);
			processEntries(site);
			losing(site, () -> {
				processTasks(site);
				awaitForgotten(site);
			});
			awaitHome(reader, "the post", "own");
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPulledPostThatAFailOverLosesIsOnPagesAgain(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, NO_WORKER, "--retwis.timeline.push-limit=2")) {
			List<Visitor> authorAndReader = authorAndReaders(site);
			String author = authorAndReader.get(0).id();
			Visitor reader = authorAndReader.get(1);
			String post = site.redis().zrange(Keys.pulledOf(author), 0, -1).get(0);
			losing(site, () -> {
				processEntries(site);
				awaitForgotten(site);
				assertThat(reader.get("/home").posts()).containsExactly("the post", "own");
			});
			site.redis().zrem(Keys.pulledOf(author), post);
			site.bean(PulledPostCache.class).reset();
			reader.get("/home");
			awaitHome(reader, "the post", "own");
			processEntries(site);
			awaitForgotten(site);
			assertThat(reader.get("/home").posts()).containsExactly("the post", "own");
		}
	}

	/** The page changes after the instance has asked again how far fan-out is. */
	private static void awaitHome(Visitor reader, String... posts) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(3))
			.until(() -> reader.get("/home").posts().equals(List.of(posts)));
	}

}
