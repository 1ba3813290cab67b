package live.retwis.timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import live.retwis.post.TimelineProperties;
import live.retwis.redis.Bulk;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Repository;

/**
 * Writes {@code timeline:{id}}: ids of posts by the millisecond of their commit, never
 * more than {@code retwis.timeline.size}. A timeline is whole from its oldest entry on,
 * or from the time noted beside it, or from the first post on; it lives for
 * {@code retwis.timeline.active-days} after its reader's last visit.
 */
@Repository
class HomeTimelines {

	private static final LuaScript ADD = LuaScript.named("add-to-timeline");

	private static final LuaScript REMOVE = LuaScript.named("remove-from-timeline");

	private static final LuaScript MERGE = LuaScript.named("merge-into-timeline");

	/** By which what is noted beside a timeline outlives it. */
	private static final Duration LONGER = Duration.ofDays(1);

	private final Bulk bulk;

	private final TimelineProperties properties;

	HomeTimelines(Bulk bulk, TimelineProperties properties) {
		this.bulk = bulk;
		this.properties = properties;
	}

	/** How long a timeline lives without a visit. */
	Duration life() {
		return Duration.ofDays(this.properties.activeDays());
	}

	/** How long what is noted beside it lives. */
	Duration longer() {
		return life().plus(LONGER);
	}

	/**
	 * {@code add-to-timeline.lua} for each user, in one round trip.
	 * @return who has no timeline
	 */
	Mono<List<String>> add(List<String> userIds, String postId, long committed) {
		List<Bulk.Call> calls = userIds.stream()
			.map((userId) -> Bulk.Call.of(Keys.homeTimeline(userId), size(), Long.toString(committed), postId))
			.toList();
		return calls.isEmpty() ? Mono.just(List.of())
				: this.bulk.run(ADD, calls).map((answers) -> without(userIds, answers));
	}

	private static List<String> without(List<String> userIds, List<Long> answers) {
		return IntStream.range(0, userIds.size()).filter((i) -> answers.get(i) < 0).mapToObj(userIds::get).toList();
	}

	/** {@code remove-from-timeline.lua}: posts from one timeline. */
	Mono<Void> remove(String userId, List<String> postIds) {
		return postIds.isEmpty() ? Mono.empty() : this.bulk.run(REMOVE, List.of(removing(userId, postIds))).then();
	}

	/** {@code remove-from-timeline.lua}: one post from each, in one round trip. */
	Mono<Void> remove(List<String> userIds, String postId) {
		List<Bulk.Call> calls = userIds.stream().map((userId) -> removing(userId, List.of(postId))).toList();
		return calls.isEmpty() ? Mono.empty() : this.bulk.run(REMOVE, calls).then();
	}

	private Bulk.Call removing(String userId, List<String> postIds) {
		List<String> args = new ArrayList<>(List.of(size(), seconds(LONGER)));
		args.addAll(postIds);
		return new Bulk.Call(keys(userId), args.toArray(String[]::new));
	}

	/**
	 * {@code merge-into-timeline.lua}.
	 * @param places newest first
	 * @return whether there is a timeline
	 */
	Mono<Boolean> merge(String userId, List<Cursor> places) {
		return merge(userId, places, "", "");
	}

	/**
	 * {@code merge-into-timeline.lua}: begins a timeline, unless somebody was quicker.
	 * @param places newest first, all posts there are or down to a place
	 * @param from that place, in ms; null when these are all
	 */
	Mono<Void> begin(String userId, List<Cursor> places, @Nullable Long from) {
		return places.isEmpty() ? Mono.empty()
				: merge(userId, places, seconds(life()), (from != null) ? from.toString() : "").then();
	}

	private Mono<Boolean> merge(String userId, List<Cursor> places, String life, String from) {
		List<String> args = new ArrayList<>(List.of(size(), life, from, seconds(LONGER)));
		places.forEach((place) -> args.addAll(List.of(Long.toString(place.score()), place.member())));
		return this.bulk.run(MERGE, List.of(new Bulk.Call(keys(userId), args.toArray(String[]::new))))
			.map((answers) -> answers.get(0) >= 0);
	}

	private static String[] keys(String userId) {
		return new String[] { Keys.homeTimeline(userId), Keys.homeWholeFrom(userId) };
	}

	private String size() {
		return Integer.toString(this.properties.size());
	}

	private static String seconds(Duration duration) {
		return Long.toString(duration.toSeconds());
	}

}
