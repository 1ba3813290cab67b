package live.retwis.timeline;

import java.util.List;

import live.retwis.fanout.UpgradeGate;
import live.retwis.follow.FollowRepository;
import live.retwis.redis.Cursor;
import live.retwis.redis.RandomTokens;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Builds home timelines of users who have none, because they were away or have not read
 * anything yet. Only this class creates timelines, so that no timeline lacks earlier
 * posts.
 */
@Component
public class TimelineRebuild {

	private final HomeTimelineFromAuthorLists authorLists;

	private final FollowRepository follows;

	private final PulledAuthorsRepository pulledAuthors;

	private final HomeTimelineWriter timelines;

	private final TimelineProperties properties;

	private final UpgradeGate upgradeGate;

	TimelineRebuild(HomeTimelineFromAuthorLists authorLists, FollowRepository follows,
			PulledAuthorsRepository pulledAuthors, HomeTimelineWriter timelines, TimelineProperties properties,
			UpgradeGate upgradeGate) {
		this.authorLists = authorLists;
		this.follows = follows;
		this.pulledAuthors = pulledAuthors;
		this.timelines = timelines;
		this.properties = properties;
		this.upgradeGate = upgradeGate;
	}

	/**
	 * Builds a timeline from the lists of the authors, without the posts that readers
	 * pull. Posts, deletions and follows that happen meanwhile are included. An unfollow
	 * cancels the build, and a later page starts another one.
	 * @return true when nothing was done, because the timeline exists by now or somebody
	 * else is building it. Then the caller has to add there what it wanted to add
	 */
	public Mono<Boolean> run(String userId) {
		return this.upgradeGate.isAtWork().flatMap((atWork) -> atWork ? Mono.just(false) : build(userId));
	}

	/**
	 * Announces the build first. From then on all changes are collected, so the lists can
	 * be read in any order.
	 */
	private Mono<Boolean> build(String userId) {
		String builder = RandomTokens.ofBits(96);
		return this.timelines.announce(userId, builder)
			.flatMap((announced) -> announced ? begin(userId, builder).thenReturn(false) : Mono.just(true));
	}

	private Mono<Void> begin(String userId, String builder) {
		return this.follows.allFollowed(userId)
			.flatMap((authors) -> this.authorLists.latestInRedis(userId, authors, this.properties.size())
				.flatMap((newest) -> pushed(authors, newest.places())
					.flatMap((pushed) -> this.timelines.begin(userId, builder, pushed, newest.from()))))
			.then();
	}

	/**
	 * Leaves out the posts that readers pull. They are read after the other lists,
	 * because a post is added to the pulled ones first.
	 */
	private Mono<List<Cursor>> pushed(List<String> authors, List<Cursor> places) {
		return this.pulledAuthors.among(authors)
			.flatMap((pulledFrom) -> this.authorLists.pulledOf(pulledFrom, this.properties.size()))
			.map((pulled) -> places.stream().filter((place) -> !pulled.contains(place.member())).toList());
	}

}
