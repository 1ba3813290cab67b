package live.retwis.timeline;

import java.util.List;
import java.util.Set;

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

	private static final int TRIES = 5;

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
	 * deleted, followed or unfollowed meanwhile comes into it, too.
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
			.flatMap((authors) -> read(userId, authors, TRIES))
			.flatMap((newest) -> pushed(userId, newest)
				.flatMap((pushed) -> this.timelines.begin(userId, maker, pushed, wholeFrom(newest))))
			.then();
	}

	/**
	 * Reads the lists of all authors, and again when one of them was unfollowed
	 * meanwhile: that author's posts were taken out before the last of them were read.
	 * @return empty when this happens too often: the timeline is made at another page
	 */
	private Mono<List<Cursor>> read(String userId, List<String> authors, int tries) {
		return this.timelineMerge.latest(userId, authors, this.properties.size())
			.zipWhen((newest) -> this.follows.allFollowed(userId))
			.flatMap((read) -> Set.copyOf(read.getT2()).containsAll(authors) ? Mono.just(read.getT1())
					: (tries > 1) ? read(userId, read.getT2(), tries - 1) : Mono.empty());
	}

	/** The pulled ones are read after the rest, for a post is among these first. */
	private Mono<List<Cursor>> pushed(String userId, List<Cursor> places) {
		return this.follows.allFollowed(userId)
			.flatMap(this.pulledAuthors::amongNow)
			.flatMap((authors) -> this.timelineMerge.pulledOf(authors, this.properties.size()))
			.map((pulled) -> places.stream().filter((place) -> !pulled.contains(place.member())).toList());
	}

	private @Nullable Cursor wholeFrom(List<Cursor> newest) {
		return (newest.size() == this.properties.size()) ? newest.get(newest.size() - 1) : null;
	}

}
