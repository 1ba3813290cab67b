package live.retwis.timeline;

import java.time.Duration;
import java.util.List;

import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Redis has no empty lists, so a key beside a home timeline says that the timeline is
 * empty.
 */
class EmptyTimelineTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final Duration DAY = Duration.ofDays(1);

	private final Site site = Site.shared();

	private final HomeTimelineWriter timelines = this.site.bean(HomeTimelineWriter.class);

	private final String reader = Visitor.registered(this.site).id();

	private final String key = Keys.homeTimeline(this.reader);

	private final String noted = Keys.homeCompleteFrom(this.reader);

	/** All posts from this place on are pulled. */
	private void beginWithPulledOnes(long from) {
		this.timelines.announce(this.reader, "maker")
			.then(this.timelines.begin(this.reader, "maker", List.of(), new Cursor(from, "0PPPPPPPPPPPP")))
			.block(BOUND);
	}

	private void beginEmpty() {
		this.timelines.announce(this.reader, "maker")
			.then(this.timelines.begin(this.reader, "maker", List.of(), null))
			.block(BOUND);
	}

	private List<String> add(String post) {
		return this.timelines.add(List.of(this.reader), post, 1000).blockOptional(BOUND).orElseThrow();
	}

	@Test
	void theFirstPostOfAnEmptyTimelineKeepsItsExpiry() {
		beginEmpty();
		this.site.redis().expire(this.noted, DAY.multipliedBy(3));
		assertThat(add("0AAAAAAAAAAAA")).isEmpty();
		assertThat(this.site.redis().zrange(this.key, 0, -1)).containsExactly("0AAAAAAAAAAAA");
		assertThat(this.site.redis().ttl(this.key)).isBetween(2 * DAY.toSeconds() - 100, 2 * DAY.toSeconds());
		assertThat(this.site.redis().exists(this.noted)).isZero();
	}

	@Test
	void anEmptyTimelineOfAnAbsentReaderIsRemovedByTheNextPost() {
		beginEmpty();
		this.site.redis().expire(this.noted, DAY.minusHours(1));
		assertThat(add("0AAAAAAAAAAAA")).containsExactly(this.reader);
		assertThat(this.site.redis().exists(this.key, this.noted)).isZero();
	}

	@Test
	void aLostTimelineDoesNotBeginAgainWithTheNextPost() {
		this.site.redis().setex(this.noted, DAY.multipliedBy(9).toSeconds(), "500");
		assertThat(add("0AAAAAAAAAAAA")).containsExactly(this.reader);
		assertThat(this.site.redis().exists(this.key, this.noted)).isZero();
	}

	@Test
	void aTimelineWhosePostsAreAllPulledGetsTheFirstThatIsPushed() {
		beginWithPulledOnes(999);
		this.site.redis().expire(this.noted, DAY.multipliedBy(3));
		assertThat(add("0AAAAAAAAAAAA")).isEmpty();
		assertThat(this.site.redis().zrange(this.key, 0, -1)).containsExactly("0AAAAAAAAAAAA");
		assertThat(this.site.redis().ttl(this.key)).isBetween(2 * DAY.toSeconds() - 100, 2 * DAY.toSeconds());
		assertThat(this.site.redis().get(this.noted)).isEqualTo(">999");
		assertThat(this.site.redis().ttl(this.noted)).isBetween(3 * DAY.toSeconds() - 100, 3 * DAY.toSeconds());
	}

	@Test
	void aTimelineWhosePostsAreAllPulledRefusesOneOfBeforeThese() {
		beginWithPulledOnes(1000);
		assertThat(add("0AAAAAAAAAAAA")).isEmpty();
		assertThat(this.site.redis().exists(this.key)).isZero();
		assertThat(this.site.redis().get(this.noted)).isEqualTo("0>1000");
	}

}
