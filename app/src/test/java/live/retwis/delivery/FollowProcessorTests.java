package live.retwis.delivery;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.AllPages;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Authors whose first posts were pushed and whose later posts are pulled. A timeline
 * holds five posts, and there are more pulled posts than that.
 */
@ExtendWith(RedisExtension.class)
class FollowProcessorTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final int SIZE = 5;

	/** The author's posts fill many pages. The three oldest are pushed. */
	private static final int PULLED = 40 * SIZE;

	private static final List<String> PUSHED = List.of("pushed 2", "pushed 1", "pushed 0");

	private static Site start(TestRedis redis) {
		return Site.start(redis, "--retwis.timeline.push-limit=1", "--retwis.timeline.size=" + SIZE,
				"--retwis.limits.enabled=false");
	}

	/** The second follower is one too many for pushing. */
	private static Visitor pushThenPull(Site site, Visitor author, Visitor reader, int pulled) {
		reader.follow(author);
		IntStream.range(0, 3).forEach((i) -> author.post("pushed " + i));
		FanOutWait.settle(site);
		Visitor second = Visitor.registered(site);
		second.follow(author);
		IntStream.range(0, pulled).forEach((i) -> author.post("pulled " + i));
		FanOutWait.settle(site);
		return second;
	}

	/** Adds two pushed posts among the pulled ones, beyond the last page that is read. */
	private static void pushAndPullInTurn(Site site, Visitor author, Visitor reader) {
		Visitor second = pushThenPull(site, author, reader, 3);
		second.unfollow(author);
		IntStream.range(0, 2).forEach((i) -> author.post("pushed between " + i));
		FanOutWait.settle(site);
		second.follow(author);
		IntStream.range(0, PULLED).forEach((i) -> author.post("pulled again " + i));
		FanOutWait.settle(site);
	}

	private static List<String> timeline(Site site, Visitor reader) {
		return site.redis().zrange(Keys.homeTimeline(reader.id()), 0, -1);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void anUnfollowRemovesTheirPushedPosts(@OwnRedis TestRedis redis) {
		try (Site site = start(redis)) {
			Visitor author = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			String own = reader.post("own");
			pushThenPull(site, author, reader, PULLED);
			reader.unfollow(author);
			FanOutWait.settle(site);
			assertThat(timeline(site, reader)).containsExactly(own);
			assertThat(AllPages.ofHome(reader)).containsExactly("own");
		}
	}

	@Test
	@Tag("slow")
	void aFollowAddsTheirPushedPosts(@OwnRedis TestRedis redis) {
		try (Site site = start(redis)) {
			Visitor author = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			reader.post("own");
			pushThenPull(site, author, Visitor.registered(site), PULLED);
			assertThat(reader.get("/home").posts()).containsExactly("own");
			reader.follow(author);
			FanOutWait.settle(site);
			assertThat(AllPages.ofHome(reader)).hasSize(1 + PUSHED.size() + PULLED)
				.endsWith("pushed 0", "own")
				.containsAll(PUSHED);
		}
	}

	@Test
	void aPushedPostBetweenPulledOnesIsFoundWithinManyPages(@OwnRedis TestRedis redis) {
		try (Site site = start(redis)) {
			Visitor author = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			reader.post("own");
			Visitor fan = Visitor.registered(site);
			pushThenPull(site, author, fan, 4 * SIZE);
			fan.unfollow(author);
			String between = author.post("pushed between");
			reader.follow(author);
			IntStream.range(0, 4 * SIZE).forEach((i) -> author.post("pulled again " + i));
			FanOutWait.settle(site);
			assertThat(timeline(site, reader)).hasSize(SIZE).contains(between);
			assertThat(AllPages.ofHome(reader)).hasSize(1 + PUSHED.size() + 1 + 8 * SIZE);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPushedPostBetweenVeryManyPulledOnesIsNotMissing(@OwnRedis TestRedis redis) {
		try (Site site = start(redis)) {
			Visitor author = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			reader.post("own");
			pushAndPullInTurn(site, author, Visitor.registered(site));
			String later = reader.post("own later");
			assertThat(AllPages.ofHome(reader)).containsExactly("own later", "own");
			reader.follow(author);
			FanOutWait.settle(site);
			assertThat(AllPages.ofHome(reader)).hasSize(2 + PUSHED.size() + 3 + 2 + PULLED)
				.contains("pushed between 0", "pushed between 1")
				.containsAll(PUSHED)
				.endsWith("own");
			assertThat(timeline(site, reader)).containsExactly(later);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aDeletedAccountLeavesNoPushedPostBetweenPulledOnes(@OwnRedis TestRedis redis) {
		try (Site site = start(redis)) {
			Visitor author = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			String own = reader.post("own");
			pushAndPullInTurn(site, author, reader);
			assertThat(timeline(site, reader)).hasSize(SIZE).doesNotContain(own);
			deleteAccount(site, author);
			assertThat(timeline(site, reader)).isEmpty();
			assertThat(AllPages.ofHome(reader)).containsExactly("own");
		}
	}

	private static void deleteAccount(Site site, Visitor author) {
		String authorId = author.id();
		author.get("/settings");
		assertThat(author.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		Awaitility.await().atMost(BOUND).until(() -> site.redis().exists("posts:" + authorId) == 0);
		FanOutWait.settle(site);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aDeletedAccountLeavesNoneOfItsPosts(@OwnRedis TestRedis redis) {
		try (Site site = start(redis)) {
			Visitor author = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			String own = reader.post("own");
			pushThenPull(site, author, reader, PULLED);
			deleteAccount(site, author);
			assertThat(timeline(site, reader)).containsExactly(own);
		}
	}

}
