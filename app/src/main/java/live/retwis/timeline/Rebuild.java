package live.retwis.timeline;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import live.retwis.follow.FollowRepository;
import live.retwis.post.TimelineProperties;
import live.retwis.redis.Cursor;
import org.jspecify.annotations.Nullable;
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

	private final TimelineProperties properties;

	private final OlderRelease older;

	Rebuild(Followed followed, FollowRepository follows, PulledAuthors pulledAuthors, HomeTimelines timelines,
			TimelineProperties properties, OlderRelease older) {
		this.followed = followed;
		this.follows = follows;
		this.pulledAuthors = pulledAuthors;
		this.timelines = timelines;
		this.properties = properties;
		this.older = older;
	}

	/**
	 * From the lists of the authors, without what readers pull of others; a timeline that
	 * has begun meanwhile gets what it lacks.
	 */
	Mono<Void> run(String userId) {
		return this.older.isAtWork()
			.flatMap((atWork) -> atWork ? Mono.empty() : newest(userId))
			.flatMap((newest) -> pushed(userId, newest)
				.flatMap((pushed) -> this.timelines.begin(userId, pushed, wholeFrom(newest)))
				.then(settle(userId, newest, true)));
	}

	private Mono<List<Cursor>> newest(String userId) {
		return this.followed.latest(userId, Optional.empty(), this.properties.size());
	}

	/** The pulled ones are read after the rest, for a post is among these first. */
	private Mono<List<Cursor>> pushed(String userId, List<Cursor> places) {
		return this.follows.allFollowed(userId)
			.flatMap(this.pulledAuthors::amongNow)
			.flatMap((authors) -> this.followed.pulledOf(authors, this.properties.size()))
			.map((pulled) -> places.stream().filter((place) -> !pulled.contains(place.member())).toList());
	}

	private @Nullable Long wholeFrom(List<Cursor> newest) {
		return isCut(newest) ? newest.get(newest.size() - 1).score() : null;
	}

	private boolean isCut(List<Cursor> newest) {
		return newest.size() == this.properties.size();
	}

	/**
	 * Looks again, for the workers found no timeline to change between the reading and
	 * the writing: takes out what was deleted or is of somebody unfollowed, and puts in
	 * what was posted. Who was unfollowed may have been followed again; therefore until
	 * nothing had to be taken out.
	 * @param copied what the authors' lists held before
	 * @param merge whether there may be posts that no worker puts in
	 */
	private Mono<Void> settle(String userId, List<Cursor> copied, boolean merge) {
		return newest(userId).flatMap((now) -> {
			List<String> gone = without(copied, now).stream()
				.filter((place) -> !isCut(now) || CommitOrder.NEWEST_FIRST.compare(place, now.get(now.size() - 1)) < 0)
				.map(Cursor::member)
				.toList();
			List<Cursor> fresh = merge ? without(now, copied) : List.of();
			return (gone.isEmpty() && fresh.isEmpty()) ? Mono.<Void>empty()
					: this.timelines.remove(userId, gone)
						.then(merge(userId, fresh))
						.then(settle(userId, now, !gone.isEmpty()));
		});
	}

	private Mono<Void> merge(String userId, List<Cursor> fresh) {
		return fresh.isEmpty() ? Mono.empty()
				: pushed(userId, fresh).flatMap((pushed) -> this.timelines.merge(userId, pushed)).then();
	}

	private static List<Cursor> without(List<Cursor> some, List<Cursor> others) {
		Set<Cursor> left = new HashSet<>(others);
		return some.stream().filter((place) -> !left.contains(place)).toList();
	}

}
