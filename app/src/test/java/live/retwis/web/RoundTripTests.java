package live.retwis.web;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.InstanceLogPosition;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.RoundTripProxy;
import live.retwis.testing.RoundTripProxy.Counted;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counts how often a page waits for Redis.
 */
@ExtendWith(RedisExtension.class)
class RoundTripTests {

	private static final int AUTHORS = 20;

	/**
	 * Posts on the page that are in the list twice, because somebody has reposted them.
	 */
	private static final int REPOSTED = 7;

	/** Posts on the page that somebody likes and answers. */
	private static final int LIKED = 5;

	/** Notifications that the reader has not read. */
	private static final int UNREAD = 3;

	/**
	 * Recognises the script that samples how far fan-out is. It has four keys and three
	 * arguments.
	 */
	private static final Predicate<SentCommand> FLOOR = (command) -> command.arguments().size() == 9 && command
		.arguments()
		.subList(2, 7)
		.equals(List.of("{live}:log", "{live}:unfinished", "{live}:postponed-by-commit", "{live}:dead", "fanout"));

	/**
	 * Also lets Redis load the scripts. Redis does not know a script when it is used for
	 * the first time, so the script is sent a second time.
	 */
	private Visitor fill(Site site) {
		Visitor reader = Visitor.registered(site);
		List<Visitor> authors = IntStream.range(0, AUTHORS).mapToObj((i) -> Visitor.registered(site)).toList();
		authors.forEach(reader::follow);
		List<String> posts = new ArrayList<>();
		for (int round = 0; round < 3; round++) {
			authors.forEach((author) -> posts.add(author.post("by " + author.name())));
		}
		posts.subList(posts.size() - REPOSTED, posts.size())
			.forEach((post) -> assertThat(authors.get(0).submit("/posts/" + post + "/repost").status()).isEqualTo(303));
		authors.subList(0, UNREAD).forEach((author) -> author.follow(reader));
		List<String> liked = posts.subList(posts.size() - LIKED, posts.size());
		Visitor stranger = Visitor.registered(site);
		stranger.get("/timeline");
		liked.forEach((post) -> {
			assertThat(stranger.submit("/posts/" + post + "/like").status()).isEqualTo(303);
			assertThat(stranger
				.postJson("body", "by " + authors.get(0).name(), "once", UUID.randomUUID().toString(), "reply_to", post)
				.status()).isEqualTo(201);
		});
		for (String restriction : List.of("mute", "block")) {
			String path = "/@" + Visitor.registered(site).name() + "/" + restriction;
			assertThat(reader.submit(path).status()).isEqualTo(303);
		}
		FanOutWait.settle(site);
		assertThat(reader.get("/timeline").status()).isEqualTo(200);
		String last = "by " + authors.get(AUTHORS - 1).name();
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(
					() -> assertThat(reader.get("/home").posts()).hasSize(20).doesNotHaveDuplicates().contains(last));
		return reader;
	}

	/** What a page of the reader shows beside the posts. */
	private static void assertShowsCounts(Answer page) {
		assertThat(Pattern.compile("/like\" data-count=\"1\">").matcher(page.body()).results()).hasSize(LIKED);
		assertThat(Pattern.compile("#reply\" data-count=\"1\">").matcher(page.body()).results()).hasSize(LIKED);
		assertThat(Pattern.compile("/repost\" data-count=\"1\">").matcher(page.body()).results()).hasSize(REPOSTED);
		assertThat(page.body()).contains(" data-unread>" + UNREAD + "<");
	}

	private static Counted<Answer> count(RoundTripProxy way, Site site, String path, Visitor viewer) {
		return way.count(() -> Visitor.of(site).get(path, "Cookie", "auth=" + viewer.cookie("auth")));
	}

	private static Site startFar(RoundTripProxy way) {
		Site site = Site.startAt("127.0.0.1", way.port());
		long before = way.saw(FLOOR);
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> way.saw(FLOOR) >= before + 2);
		// A page waits until the log was read for the first time.
		site.bean(InstanceLogPosition.class).position().block(Duration.ofSeconds(20));
		return site;
	}

	/** Cold: the list, the posts, their authors. */
	@Test
	@Tag("slow")
	void aPageOfTwentyAuthorsTakesThreeRoundTripsColdAndOneWarm(@OwnRedis TestRedis redis) {
		Visitor reader;
		try (Site near = Site.start(redis)) {
			reader = fill(near);
			for (String path : List.of("/home", "/timeline")) {
				try (RoundTripProxy way = RoundTripProxy.to(redis); Site far = startFar(way)) {
					Counted<Answer> cold = count(way, far, path, reader);
					assertThat(cold.answer().status()).isEqualTo(200);
					assertThat(cold.answer().posts()).hasSize(path.equals("/home") ? 20 : 50);
					assertThat(cold.answer().posts().stream().distinct()).hasSize(AUTHORS);
					assertShowsCounts(cold.answer());
					assertThat(cold.roundTrips()).as(path + ", cold").hasSizeBetween(1, 3);
					assertThat(cold.answer().older()).isNotEmpty().isEqualTo(reader.get(path).older());
					Counted<Answer> warm = count(way, far, path, reader);
					assertThat(warm.answer().posts()).isEqualTo(cold.answer().posts());
					assertShowsCounts(warm.answer());
					assertThat(warm.roundTrips()).as(path + ", warm").hasSize(1);
				}
			}
		}
	}

}
