package live.retwis.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.lettuce.core.Range;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.AllPages;
import live.retwis.testing.EventStream;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Users post, delete, follow and unfollow at random, and workers run only now and then.
 * All pages of all users are always right. Some authors are pulled, and timelines are
 * short.
 */
@ExtendWith(RedisExtension.class)
class StoppedWorkersTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	/** How long all workers are stopped. */
	private static final Duration STOPPED = Duration.ofMinutes(1);

	private static final int PEOPLE = 5;

	private static final int ROUNDS = Integer.getInteger("rounds", 8);

	private static final int STEPS = 8;

	private static final String[] SETTINGS = { "--retwis.timeline.push-limit=2", "--retwis.timeline.size=25" };

	private static final String[] NO_WORKER = Stream
		.concat(Stream.of(SETTINGS), Stream.of("--retwis.fan-out.worker=false"))
		.toArray(String[]::new);

	private final long seed = Long.getLong("seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final List<Visitor> people = new ArrayList<>();

	/** Whom each user follows. */
	private final List<Set<Integer>> follows = new ArrayList<>();

	/** The posts that exist, in the order in which they were made. */
	private final List<Post> posts = new ArrayList<>();

	/**
	 * Texts of the posts by the first user, and by those whom that user followed then.
	 */
	private final Set<String> forFirst = new HashSet<>();

	private int made;

	@Test
	@Tag("slow")
	@Tag("long")
	void everyPageIsRight(@OwnRedis TestRedis redis) {
		try (Site one = Site.start(redis, NO_WORKER); Site other = Site.start(redis, NO_WORKER)) {
			registerPeople(one);
			for (int round = 0; round < ROUNDS; round++) {
				IntStream.range(0, STEPS).forEach((i) -> step());
				assertAllPages(one, other);
				if (this.random.nextInt(3) == 0) {
					try (Site worker = Site.start(redis, SETTINGS)) {
						FanOutWait.settle(worker);
					}
					assertAllPages(one, other);
				}
			}
		}
	}

	/** The pages are looked at beside the streams. */
	@Test
	@Tag("slow")
	@Tag("long")
	void noStreamIsResetAndEachPostComesOnceWhileAllWorkersAreStoppedForAMinute(@OwnRedis TestRedis redis) {
		try (Site one = Site.start(redis, NO_WORKER); Site other = Site.start(redis, NO_WORKER)) {
			registerPeople(one);
			try (EventStream everyone = Visitor.of(other).open("/live/public");
					EventStream home = this.people.get(0).sentTo(other.url("")).open("/live/home")) {
				List.of(everyone, home).forEach((stream) -> stream.await((event) -> event.name().equals("position")));
				long began = System.nanoTime();
				while (System.nanoTime() - began < STOPPED.toNanos()) {
					IntStream.range(0, STEPS).forEach((i) -> step());
					assertAllPages(one, other);
				}
				this.posts.add(new Post(this.people.get(0).post("the last"), 0, "the last"));
				this.forFirst.add("the last");
				List.of(everyone, home).forEach((stream) -> stream.awaitPost("the last"));
				assertBroughtOnce(everyone, (text) -> true);
				assertBroughtOnce(home, this.forFirst::contains);
			}
			try (Site worker = Site.start(redis, SETTINGS)) {
				FanOutWait.settle(worker);
			}
			assertAllPages(one, other);
		}
	}

	/**
	 * A post that is deleted at once may not have come, but none has come twice.
	 * @param wanted whether a post with this text is for the stream
	 */
	private void assertBroughtOnce(EventStream stream, Predicate<String> wanted) {
		assertThat(stream.isEnded()).as("seed %s", this.seed).isFalse();
		assertThat(stream.events("reset")).as("seed %s", this.seed).isEmpty();
		List<String> brought = stream.events("post")
			.stream()
			.map((event) -> event.data().replaceFirst("(?s)^.*?data-post-id=\"([^\"]*)\".*$", "$1"))
			.toList();
		assertThat(brought).as("seed %s", this.seed)
			.doesNotHaveDuplicates()
			.containsAll(this.posts.stream().filter((post) -> wanted.test(post.text())).map(Post::id).toList());
	}

	private void registerPeople(Site site) {
		IntStream.range(0, PEOPLE).forEach((i) -> {
			this.people.add(Visitor.registered(site));
			this.follows.add(new HashSet<>());
		});
	}

	private void step() {
		int who = this.random.nextInt(PEOPLE);
		int whom = (who + 1 + this.random.nextInt(PEOPLE - 1)) % PEOPLE;
		Visitor person = this.people.get(who);
		switch (this.random.nextInt(8)) {
			case 0 ->
				submit(person, "/@" + this.people.get(whom).name() + "/unfollow", this.follows.get(who).remove(whom));
			case 1, 2 ->
				submit(person, "/@" + this.people.get(whom).name() + "/follow", this.follows.get(who).add(whom));
			case 3 -> this.posts.stream()
				.filter((post) -> post.author() == who)
				.skip(this.random.nextInt(3))
				.findFirst()
				.ifPresent((post) -> submit(person, "/posts/" + post.id() + "/delete", this.posts.remove(post)));
			default -> {
				String text = "post " + this.made++;
				if (who == 0 || this.follows.get(0).contains(who)) {
					this.forFirst.add(text);
				}
				this.posts.add(new Post(person.post(text), who, text));
			}
		}
	}

	/** Sends a form. The test does not need to know whether it changes anything. */
	private static void submit(Visitor person, String path, boolean changes) {
		person.get("/home");
		assertThat(person.submit(path).status()).isEqualTo(303);
	}

	private void assertAllPages(Site... sites) {
		for (Site site : sites) {
			Visitor stranger = Visitor.of(site);
			String newest = site.redis().xrevrange("{live}:log", Range.unbounded()).get(0).getId();
			Awaitility.await().atMost(BOUND).until(() -> stranger.get("/timeline").live().contains("=" + newest));
			for (int who = 0; who < PEOPLE; who++) {
				int me = who;
				Visitor here = this.people.get(who).sentTo(site.url(""));
				assertThat(AllPages.of(here, "/home")).as("home of %s at %s, seed %s", me, site.port(), this.seed)
					.isEqualTo(expected((author) -> author == me || this.follows.get(me).contains(author)));
				assertThat(AllPages.of(here, "/@" + here.name())).as("profile of %s, seed %s", me, this.seed)
					.isEqualTo(expected((author) -> author == me));
			}
			assertThat(AllPages.of(stranger, "/timeline")).as("seed %s", this.seed)
				.isEqualTo(expected((author) -> true));
		}
	}

	private List<String> expected(IntPredicate authors) {
		List<String> texts = new ArrayList<>();
		for (int i = this.posts.size() - 1; i >= 0; i--) {
			if (authors.test(this.posts.get(i).author())) {
				texts.add(this.posts.get(i).text());
			}
		}
		return texts;
	}

	private record Post(String id, int author, String text) {
	}

}
