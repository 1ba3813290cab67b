package live.retwis.timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import live.retwis.fanout.PendingFanOutIndex;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A reader for whom the newest posts are pulled: more of them than a timeline holds.
 */
@ExtendWith(RedisExtension.class)
class PulledOnlyTimelineTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final int PAGE = 20;

	private static List<String> allPagesOfHome(Visitor reader) {
		List<String> posts = new ArrayList<>();
		String path = "/home";
		while (!path.isEmpty()) {
			Answer page = reader.get(path);
			posts.addAll(page.posts());
			path = page.older();
		}
		return posts;
	}

	private static List<String> posts(Visitor author, int newest) {
		return IntStream.iterate(newest, (i) -> i > 0, (i) -> i - 1).mapToObj((i) -> author.name() + " " + i).toList();
	}

	private static void post(Visitor author, int first, int last) {
		IntStream.rangeClosed(first, last).forEach((i) -> author.post(author.name() + " " + i));
	}

	@Test
	@Tag("slow")
	void pagesReadTheListsOfNoAuthorWhoIsNotPulled(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site site = Site.startAt("127.0.0.1", way.port(), "--retwis.timeline.size=40",
						"--retwis.timeline.push-limit=1")) {
			Visitor busy = Visitor.registered(site);
			Visitor quiet = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			List.of(reader, Visitor.registered(site)).forEach((follower) -> follower.follow(busy));
			reader.follow(quiet);
			post(quiet, 1, 3);
			post(busy, 1, 70);
			FanOutWait.settle(site);
			String mark = Keys.homeCompleteFrom(reader.id());
			site.redis().del(Keys.homeTimeline(reader.id()), mark);
			reader.get("/home");
			Awaitility.await().atMost(BOUND).until(() -> site.redis().exists(mark) == 1);
			// For authors who have just been followed, a page does read the lists.
			PendingFanOutIndex unfinished = site.bean(PendingFanOutIndex.class);
			Awaitility.await().atMost(BOUND).until(() -> unfinished.hasNothing(reader.id()));

			List<String> expected = new ArrayList<>(posts(busy, 70));
			expected.addAll(posts(quiet, 3));
			assertPagesReadNoLists(way, reader, expected);
			quiet.post("a new one");
			FanOutWait.settle(site);
			expected.add(0, "a new one");
			assertPagesReadNoLists(way, reader, expected);
			assertThat(allPagesOfHome(reader)).isEqualTo(expected);
			assertThat(site.redis().zcard(Keys.homeTimeline(reader.id()))).isOne();
		}
	}

	private static void assertPagesReadNoLists(FaultProxy way, Visitor reader, List<String> expected) {
		try (Interception reads = way
			.at(SentCommand.named("ZREVRANGE", "ZREVRANGEBYSCORE").and(SentCommand.containing("posts:")))
			.watch()) {
			IntStream.range(0, 10)
				.forEach((i) -> assertThat(reader.get("/home").posts()).isEqualTo(expected.subList(0, PAGE)));
			assertThat(reads.met()).as("lists of authors read").isZero();
		}
	}

}
