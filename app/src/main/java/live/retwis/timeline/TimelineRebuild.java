package live.retwis.timeline;

import java.util.List;

import live.retwis.fanout.UpgradeGate;
import live.retwis.follow.FollowRepository;
import live.retwis.redis.Cursor;
import live.retwis.redis.Nonces;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Makes the home timeline of who has none: of who comes back, and of who has not read
 * anything yet. Only here timelines begin, so that none misses what came before.
 */
@Component
class TimelineRebuild {

	private final TimelineMerge timelineMerge;

	private final FollowRepository follows;

	private final PulledAuthors pulledAuthors;

	private final HomeTimelines timelines;

	private final TimelineProperties properties;

	private final UpgradeGate older;

	TimelineRebuild(TimelineMerge timelineMerge, FollowRepository follows, PulledAuthors pulledAuthors,
			HomeTimelines timelines, TimelineProperties properties, UpgradeGate older) {
		this.timelineMerge = timelineMerge;
		this.follows = follows;
		this.pulledAuthors = pulledAuthors;
		this.timelines = timelines;
		this.properties = properties;
		this.older = older;
	}

	/**
	 * From the lists of the authors, without what readers pull of others. What is posted,
	 * deleted or followed meanwhile comes into it, too; when somebody is unfollowed
	 * meanwhile, it is made at another page.
	 * @return true when nothing was done, for there is a timeline by now, or somebody
	 * else makes it: what was to come into it has to be put there
	 */
	Mono<Boolean> run(String userId) {
		return this.older.isAtWork().flatMap((atWork) -> atWork ? Mono.just(false) : make(userId));
	}

	/** The changes are noted first, so that the lists may be read in any order. */
	private Mono<Boolean> make(String userId) {
		String maker = Nonces.ofBits(96);
		return this.timelines.announce(userId, maker)
			.flatMap((announced) -> announced ? begin(userId, maker).thenReturn(false) : Mono.just(true));
	}

	private Mono<Void> begin(String userId, String maker) {
		return this.follows.allFollowed(userId)
			.flatMap((authors) -> this.timelineMerge.latest(userId, authors, this.properties.size())
				.flatMap((newest) -> pushed(authors, newest)
					.flatMap((pushed) -> this.timelines.begin(userId, maker, pushed, wholeFrom(newest)))))
			.then();
	}

	/** The pulled ones are read after the rest, for a post is among these first. */
	private Mono<List<Cursor>> pushed(List<String> authors, List<Cursor> places) {
		return this.pulledAuthors.amongNow(authors)
			.flatMap((pulling) -> this.timelineMerge.pulledOf(pulling, this.properties.size()))
			.map((pulled) -> places.stream().filter((place) -> !pulled.contains(place.member())).toList());
	}

	private @Nullable Cursor wholeFrom(List<Cursor> newest) {
		return (newest.size() == this.properties.size()) ? newest.get(newest.size() - 1) : null;
	}

}
