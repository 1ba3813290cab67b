package live.retwis.timeline;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import live.retwis.follow.FollowRepository;
import live.retwis.post.TimelineProperties;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Makes the home timeline of who has none: of who comes back, and of who has not read
 * anything yet. Only here timelines begin, so that none misses what came before.
 */
@Component
class Rebuild {

	private final Followed followed;

	private final FollowRepository follows;

	private final PulledAuthors pulledAuthors;

	private final HomeTimelines timelines;

	private final Leftovers leftovers;

	private final Presence presence;

	private final TimelineProperties properties;

	Rebuild(Followed followed, FollowRepository follows, PulledAuthors pulledAuthors, HomeTimelines timelines,
			Leftovers leftovers, Presence presence, TimelineProperties properties) {
		this.followed = followed;
		this.follows = follows;
		this.pulledAuthors = pulledAuthors;
		this.timelines = timelines;
		this.leftovers = leftovers;
		this.presence = presence;
		this.properties = properties;
	}

	/** For who is not away. */
	Mono<Void> ifPresent(String userId) {
		return this.presence.isPresent(userId).flatMap((present) -> present ? run(userId) : Mono.empty());
	}

	/**
	 * From the lists of the authors, without what readers pull of others; a timeline that
	 * has begun meanwhile gets what it lacks.
	 */
	Mono<Void> run(String userId) {
		int size = this.properties.size();
		return this.followed.latest(userId, Optional.empty(), size)
			.flatMap((newest) -> pulledOf(userId)
				.flatMap((pulled) -> begin(userId, newest, pulled).then(settle(userId, newest))));
	}

	/** Read after the lists of the authors, for a post is among these first. */
	private Mono<Set<String>> pulledOf(String userId) {
		return this.follows.allFollowed(userId)
			.flatMap(this.pulledAuthors::amongNow)
			.flatMap((authors) -> this.followed.pulledOf(authors, this.properties.size()));
	}

	private Mono<Void> settle(String userId, List<Cursor> begun) {
		return this.followed.latest(userId, Optional.empty(), this.properties.size())
			.flatMap((newest) -> this.leftovers.takeOut(userId, begun, newest));
	}

	private Mono<Void> begin(String userId, List<Cursor> newest, Set<String> pulled) {
		boolean cut = newest.size() == this.properties.size();
		Long from = cut ? newest.get(newest.size() - 1).score() : null;
		return this.timelines.begin(userId,
				newest.stream().filter((place) -> !pulled.contains(place.member())).toList(), from);
	}

}
