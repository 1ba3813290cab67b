package live.retwis.timeline;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import live.retwis.account.AccountStateRepository;
import live.retwis.fanout.UpgradeGate;
import live.retwis.follow.FollowRepository;
import live.retwis.log.LogPosition;
import live.retwis.post.Post;
import live.retwis.post.RenderedPosts;
import live.retwis.post.ReplyRepository;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.redis.SortedSetReader;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Changes after a rebuild has read the authors' lists and before it writes the timeline.
 * At that moment workers find no timeline.
 */
@Timeout(60)
class TimelineRebuildTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private final Site site = Site.shared();

	private final Visitor reader = Visitor.registered(this.site);

	private final Visitor author = Visitor.registered(this.site);

	private final AtomicInteger readings = new AtomicInteger();

	private String first = "";

	@BeforeEach
	void followAndPost() {
		this.reader.follow(this.author);
		this.first = this.author.post("first");
		settle();
		this.site.redis().del(timeline());
	}

	private String timeline() {
		return Keys.homeTimeline(this.reader.id());
	}

	private TimelineRebuild interruptedBy(Runnable deed) {
		return new TimelineRebuild(new Interrupted(deed), this.site.bean(FollowRepository.class),
				this.site.bean(PulledAuthorsRepository.class), this.site.bean(HomeTimelineWriter.class),
				this.site.bean(TimelineProperties.class), this.site.bean(UpgradeGate.class));
	}

	private List<String> timelineAfter(Runnable deed) {
		interruptedBy(deed).run(this.reader.id()).block(BOUND);
		return this.site.redis().zrange(timeline(), 0, -1);
	}

	private void settle() {
		FanOutWait.settle(this.site);
	}

	@Test
	void theTimelineHasThePostsOfTheAuthors() {
		assertThat(timelineAfter(() -> {
		})).containsExactly(this.first);
	}

	@Test
	void anAuthorUnfollowedMeanwhileIsNotInTheTimeline() {
		assertThat(timelineAfter(() -> this.reader.submit("/@" + this.author.name() + "/unfollow"))).isEmpty();
	}

	private void assertNotInATimelineThatIsMadeMeanwhile(Runnable leaving) {
		HomeTimelineWriter timelines = this.site.bean(HomeTimelineWriter.class);
		assertThat(timelines.announce(this.reader.id(), "maker").block(BOUND)).isTrue();
		List<Cursor> read = this.site.bean(TimelineRepository.class)
			.latestPushedOf(this.author.id())
			.map(NewestPostRange::places)
			.blockOptional(BOUND)
			.orElseThrow();
		leaving.run();
		settle();
		assertThat(timelines.begin(this.reader.id(), "maker", read, null).block(BOUND)).isFalse();
		assertThat(this.site.redis().exists(timeline())).isZero();
	}

	@Test
	void anAuthorUnfollowedRightBeforeTheWriteIsNotInTheTimeline() {
		assertNotInATimelineThatIsMadeMeanwhile(() -> this.reader.submit("/@" + this.author.name() + "/unfollow"));
	}

	@Test
	void anAuthorDeletedRightBeforeTheWriteIsNotInTheTimeline() {
		assertNotInATimelineThatIsMadeMeanwhile(() -> {
			this.author.get("/settings");
			this.author.submit("/settings/delete", "password", Visitor.PASSWORD);
		});
	}

	@Test
	void aPostThatIsDeletedMeanwhileIsNotInTheTimeline() {
		assertThat(timelineAfter(() -> this.author.submit("/posts/" + this.first + "/delete"))).isEmpty();
	}

	@Test
	void aPostThatIsMadeMeanwhileIsInTheTimeline() {
		String[] second = { "" };
		assertThat(timelineAfter(() -> second[0] = this.author.post("second"))).containsExactly(this.first, second[0]);
		assertThat(this.readings).as("the timeline is complete when it begins, so one reading is enough").hasValue(1);
	}

	@Test
	void anInstanceThatDiesDuringARebuildLeavesNoIncompleteTimeline() {
		HomeTimelineWriter timelines = this.site.bean(HomeTimelineWriter.class);
		assertThat(timelines.announce(this.reader.id(), "dies").block(BOUND)).isTrue();
		String second = this.author.post("second");
		settle();
		assertThat(this.site.redis().exists(timeline())).isZero();
		assertThat(this.reader.get("/home").posts()).containsExactly("second", "first");
		assertThat(timelines.announce(this.reader.id(), "at the same time").block(BOUND)).isFalse();
		// Makes the announcement ten seconds old.
		this.site.redis().pexpire(Keys.homeChanges(this.reader.id()), 50_000);
		assertThat(timelineAfter(() -> {
		})).containsExactly(this.first, second);
		assertThat(timelines.begin(this.reader.id(), "dies", List.of(), null).block(BOUND)).isFalse();
		assertThat(this.reader.get("/home").posts()).containsExactly("second", "first");
	}

	@Test
	void anAuthorFollowedMeanwhileIsInTheTimeline() {
		Visitor other = Visitor.registered(this.site);
		String theirs = other.post("of somebody else");
		settle();
		assertThat(timelineAfter(() -> {
			this.reader.get("/@" + other.name());
			this.reader.submit("/@" + other.name() + "/follow");
		})).containsExactlyInAnyOrder(this.first, theirs);
	}

	@Test
	void anAuthorUnfollowedAndFollowedAgainMeanwhileIsInTheTimeline() {
		assertThat(timelineAfter(() -> {
			this.reader.submit("/@" + this.author.name() + "/unfollow");
			settle();
			this.reader.submit("/@" + this.author.name() + "/follow");
		})).containsExactly(this.first);
	}

	@Test
	void anAuthorWhoDeletesTheAccountMeanwhileGetsNoTimeline() {
		String id = this.author.id();
		Post post = this.site.bean(RenderedPosts.class).require(this.first).blockOptional(BOUND).orElseThrow();
		this.site.redis().del(Keys.homeTimeline(id), Keys.homeCompleteFrom(id));
		new AuthorAndReplyListWriter(this.site.bean(TimelineRepository.class), this.site.bean(HomeTimelineWriter.class),
				interruptedBy(this::deleteAuthor), this.site.bean(ReplyRepository.class),
				this.site.bean(AccountStateRepository.class))
			.deliver(post, LogPosition.of("1-1", "nonce"), false)
			.block(BOUND);
		assertThat(this.readings).hasPositiveValue();
		assertThat(this.site.redis().exists(Keys.homeTimeline(id), Keys.homeCompleteFrom(id))).isZero();
		this.site.redis().del(Keys.postsOf(id));
	}

	private void deleteAuthor() {
		this.author.get("/settings");
		assertThat(this.author.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
	}

	/** Does something after the first reading, and lets fan-out process the entry. */
	private final class Interrupted extends HomeTimelineFromAuthorLists {

		private final AtomicBoolean happened = new AtomicBoolean();

		private final Runnable deed;

		Interrupted(Runnable deed) {
			super(TimelineRebuildTests.this.site.bean(FollowRepository.class),
					TimelineRebuildTests.this.site.bean(SortedSetReader.class),
					TimelineRebuildTests.this.site.bean(AuthorPostListReader.class),
					TimelineRebuildTests.this.site.bean(OlderAuthorPostsCache.class),
					TimelineRebuildTests.this.site.bean(DataClock.class));
			this.deed = deed;
		}

		@Override
		Mono<NewestPostRange> latestInRedis(String userId, List<String> authors, int count) {
			TimelineRebuildTests.this.readings.incrementAndGet();
			return super.latestInRedis(userId, authors, count).publishOn(Schedulers.boundedElastic())
				.doOnNext((places) -> {
					if (this.happened.compareAndSet(false, true)) {
						this.deed.run();
						settle();
					}
				});
		}

	}

}
