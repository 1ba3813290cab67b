package live.retwis.timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import live.retwis.redis.BulkScriptRunner;
import live.retwis.redis.Cursor;
import live.retwis.redis.DamagedKeyReporter;
import live.retwis.redis.DeadlineScriptRunner;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.RedisErrorClassifier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Writes {@code {t…}:timeline:{id}}: ids of posts by the millisecond of their commit,
 * never more than {@code retwis.timeline.size}. A timeline is whole, unless it was cut:
 * older posts did not fit in, or would have gaps between them. That is noted in
 * {@code {t…}:from:{id}}, see {@code begin-timeline.lua}, and the timeline has all posts
 * from its oldest entry on. It lives for {@code retwis.timeline.active-days} after its
 * reader's last visit.
 * <p>
 * The scripts that change a timeline have a deadline. One that was sent again must not
 * arrive after later changes.
 */
@Repository
public class HomeTimelineWriter {

	private static final LuaScript ADD = LuaScript.withDeadline("add-to-timeline");

	private static final LuaScript REMOVE = LuaScript.withDeadline("remove-from-timeline");

	private static final LuaScript MERGE = LuaScript.withDeadline("merge-into-timeline");

	private static final LuaScript ANNOUNCE = LuaScript.named("announce-timeline");

	private static final LuaScript BEGIN = LuaScript.named("begin-timeline");

	/** How long it may take to make a timeline. */
	private static final Duration MAKING = Duration.ofMinutes(1);

	/**
	 * Time after the beginning of a build from which another instance may take it over.
	 */
	private static final Duration TAKEN_OVER = Duration.ofSeconds(10);

	/** How much longer than a timeline the note beside it lives. */
	private static final Duration LONGER = Duration.ofDays(1);

	private final ReactiveStringRedisTemplate redis;

	private final BulkScriptRunner bulk;

	private final DeadlineScriptRunner deadlines;

	private final DamagedKeyReporter damaged;

	private final TimelineProperties properties;

	HomeTimelineWriter(ReactiveStringRedisTemplate redis, BulkScriptRunner bulk, DeadlineScriptRunner deadlines,
			DamagedKeyReporter damaged, TimelineProperties properties) {
		this.redis = redis;
		this.bulk = bulk;
		this.deadlines = deadlines;
		this.damaged = damaged;
		this.properties = properties;
	}

	/** How long a timeline lives without a visit. */
	Duration life() {
		return Duration.ofDays(this.properties.activeDays());
	}

	/** EXPIRE of a timeline and of the note beside it: both begin to live anew. */
	Mono<Void> prolong(String userId) {
		return Mono.when(this.redis.expire(Keys.homeTimeline(userId), life()),
				this.redis.expire(Keys.homeCompleteFrom(userId), life().plus(LONGER)));
	}

	/**
	 * {@code add-to-timeline.lua} for all users, in one round trip.
	 * @return who has no timeline, nor one being made
	 */
	public Mono<List<String>> add(List<String> userIds, String postId, long committed) {
		return toEach(userIds, (some) -> this.deadlines
			.run((deadline) -> run(ADD, some, size(), Long.toString(committed), postId, seconds(LONGER), deadline)))
			.map((key) -> key.substring(key.lastIndexOf(':') + 1))
			.collectList();
	}

	/** DEL of a timeline and of what is noted beside it. */
	public Mono<Void> remove(String userId) {
		return this.redis.delete(keys(userId).toArray(String[]::new)).then();
	}

	/** {@code remove-from-timeline.lua}: posts from one timeline. */
	public Mono<Void> remove(String userId, List<String> postIds) {
		return remove(List.of(userId), postIds);
	}

	/** {@code remove-from-timeline.lua} for all users, in one round trip. */
	public Mono<Void> remove(List<String> userIds, List<String> postIds) {
		return postIds.isEmpty() ? Mono.empty() : toEach(userIds, (some) -> this.deadlines.run((deadline) -> {
			List<String> args = new ArrayList<>(List.of(size(), seconds(LONGER)));
			args.addAll(postIds);
			args.add(deadline);
			return run(REMOVE, some, args.toArray(String[]::new));
		})).then();
	}

	/**
	 * {@code merge-into-timeline.lua}.
	 * @return whether there is a timeline, or one being made
	 */
	public Mono<Boolean> merge(String userId, NewestPostRange posts) {
		return this.deadlines
			.run(MERGE, keys(userId),
					args(posts.places(), size(), seconds(LONGER), score(posts.from()), member(posts.from())))
			.map(HomeTimelineWriter::isDone);
	}

	/**
	 * {@code announce-timeline.lua}: from here on all changes are noted for a timeline
	 * that is to begin. Who dies before it does leaves none.
	 * @param maker a random text
	 * @return false when there is one, or somebody else makes it at this moment
	 */
	public Mono<Boolean> announce(String userId, String maker) {
		return one(ANNOUNCE, userId, List.of(), maker, Long.toString(MAKING.toMillis()),
				Long.toString(TAKEN_OVER.toMillis()));
	}

	/**
	 * {@code begin-timeline.lua}: begins the timeline that was announced, with all that
	 * changed since.
	 * @param maker who announced it
	 * @param places all posts there are, or down to a place; read since it was announced
	 * @param from that place; null when these are all
	 * @return false when it took too long, or was cancelled
	 */
	public Mono<Boolean> begin(String userId, String maker, List<Cursor> places, @Nullable Cursor from) {
		return one(BEGIN, userId, places, size(), seconds(life()), score(from), member(from), seconds(LONGER), maker);
	}

	/**
	 * DEL: cancels a build of the timeline, by deleting its list of changes. The next
	 * page of its reader builds it again.
	 */
	public Mono<Void> cancel(String userId) {
		return this.redis.delete(Keys.homeChanges(userId)).then();
	}

	private Mono<Boolean> one(LuaScript script, String userId, List<Cursor> places, String... first) {
		return script.run(this.redis, keys(userId), args(places, first)).map(HomeTimelineWriter::isDone);
	}

	private static String[] args(List<Cursor> places, String... first) {
		List<String> args = new ArrayList<>(List.of(first));
		places.forEach((place) -> args.addAll(List.of(Long.toString(place.score()), place.member())));
		return args.toArray(String[]::new);
	}

	private static boolean isDone(List<String> answer) {
		return answer.get(0).equals("1");
	}

	/**
	 * Writes to the timelines of all users. A damaged one stops the script that comes
	 * upon it, so the write is repeated with halves until that timeline is by itself.
	 * Then it is passed over.
	 * @return the answers
	 */
	private Flux<String> toEach(List<String> userIds, Function<List<String>, Mono<List<String>>> write) {
		if (userIds.isEmpty()) {
			return Flux.empty();
		}
		int half = userIds.size() / 2;
		Mono<List<String>> answers = write.apply(userIds);
		return (half == 0)
				? this.damaged.passOver(Keys.homeTimeline(userIds.get(0)), answers).flatMapIterable(Function.identity())
				: answers.flatMapIterable(Function.identity())
					.onErrorResume(RedisErrorClassifier::isWrongType, (wrong) -> toEach(userIds.subList(0, half), write)
						.concatWith(toEach(userIds.subList(half, userIds.size()), write)));
	}

	/** One by itself goes where it need not wait behind many. */
	private Mono<List<String>> run(LuaScript script, List<String> userIds, String... args) {
		List<List<String>> keys = userIds.stream().map(HomeTimelineWriter::keys).toList();
		return (keys.size() == 1) ? script.run(this.redis, keys.get(0), args) : this.bulk.run(script, keys, args);
	}

	private static List<String> keys(String userId) {
		return List.of(Keys.homeTimeline(userId), Keys.homeCompleteFrom(userId), Keys.homeChanges(userId));
	}

	private static String score(@Nullable Cursor place) {
		return (place != null) ? Long.toString(place.score()) : "";
	}

	private static String member(@Nullable Cursor place) {
		return (place != null) ? place.member() : "";
	}

	private String size() {
		return Integer.toString(this.properties.size());
	}

	private static String seconds(Duration duration) {
		return Long.toString(duration.toSeconds());
	}

}
