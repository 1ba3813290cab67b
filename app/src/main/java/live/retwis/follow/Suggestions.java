package live.retwis.follow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import live.retwis.account.ListedPeopleReader;
import live.retwis.account.ListedPerson;
import live.retwis.account.RecentUsers;
import live.retwis.log.CommitLogListener;
import live.retwis.log.LogEntry;
import live.retwis.redis.CommandRecorderContext;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.redis.SortedSetReader;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.restriction.RestrictionRepository;
import live.retwis.web.Viewer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Whom a user might follow: those whom many of the user's own follows follow, then new
 * users who have posted. Nobody who has blocked the user is among them. Only a sample is
 * looked at, so that the work is bounded however many users somebody follows. It takes
 * four round trips, and its result is cached for some minutes, unless the user follows
 * somebody, or is blocked, meanwhile. So it is for pages that may take so long, not for
 * the home page of a user who has posts to read.
 */
@Component
public class Suggestions implements CommitLogListener {

	/** Follows of the user that are asked, the latest ones. */
	private static final int ASKED = 50;

	/** Follows of each of them that count, the latest ones. */
	private static final int EACH = 50;

	/** New users that are looked at. */
	private static final int NEWCOMERS = 30;

	/** Most users that are suggested. */
	private static final int SHOWN = 5;

	/**
	 * Most users that are kept for each reader. Some of them are followed before they are
	 * shown again.
	 */
	private static final int KEPT = 20;

	/** Readers in the cache, about 2 kB each. */
	private static final int CACHED = 5_000;

	private static final Duration LIFE = Duration.ofMinutes(5);

	/**
	 * Of fewer than a page shows, because the next user who posts may come.
	 */
	private static final Duration LIFE_OF_FEW = Duration.ofSeconds(1);

	/** A page does not wait longer than this. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	private final AsyncCache<String, List<Cursor>> known = Caffeine.newBuilder()
		.maximumSize(CACHED)
		.expireAfter(
				Expiry.<String, List<Cursor>>creating((userId, places) -> (places.size() < SHOWN) ? LIFE_OF_FEW : LIFE))
		.buildAsync();

	private final FollowRepository follows;

	private final SortedSetReader sortedSets;

	private final RecentUsers recent;

	private final ListedPeopleReader people;

	private final RestrictionRepository restrictions;

	Suggestions(FollowRepository follows, SortedSetReader sortedSets, RecentUsers recent, ListedPeopleReader people,
			RestrictionRepository restrictions) {
		this.follows = follows;
		this.sortedSets = sortedSets;
		this.recent = recent;
		this.people = people;
		this.restrictions = restrictions;
	}

	/**
	 * The users, the best first; none when it takes too long, or a node is away.
	 * @param hidden whom the viewer has muted or blocked, who are not suggested
	 */
	public Mono<List<ListedPerson>> of(Viewer viewer, HiddenAuthors hidden) {
		return CommandRecorderContext
			.fromFuture(() -> this.known.get(viewer.id(),
					(userId, executor) -> CommandRecorderContext.toFuture(find(userId))))
			.map((places) -> places.stream().filter((place) -> !hidden.contains(place.member())).toList())
			.flatMap((places) -> this.people.list(Optional.of(viewer), places))
			.map((all) -> all.stream().filter(ListedPerson::canFollow).limit(SHOWN).toList())
			.timeout(PATIENCE, Mono.just(List.of()))
			.onErrorResume(RedisErrorClassifier::isAway, (away) -> Mono.just(List.of()));
	}

	/** A follow changes what is suggested, and so does a block by somebody else. */
	@Override
	public void accept(LogEntry entry) {
		switch (entry.type()) {
			case FOLLOW, UNFOLLOW -> this.known.synchronous().invalidate(entry.user());
			case BLOCK, UNBLOCK -> this.known.synchronous().invalidate(entry.other());
			default -> {
			}
		}
	}

	/**
	 * ZRANGE of all follows and the newest users, then ZREVRANGE of the sample and ZCARD
	 * of the newest users' posts, then ZSCORE of the best users' blocks.
	 */
	private Mono<List<Cursor>> find(String userId) {
		return Mono.zip(this.follows.allFollowed(userId), this.recent.newest(NEWCOMERS), (followed, newest) -> {
			Set<String> known = new HashSet<>(followed);
			known.add(userId);
			return Mono.zip(ofFollows(followed.subList(Math.max(0, followed.size() - ASKED), followed.size()), known),
					active(newest, known), (best, newcomers) -> {
						Set<String> all = new LinkedHashSet<>(best);
						all.addAll(newcomers);
						return all.stream().limit(KEPT).toList();
					});
		})
			.flatMap(Function.identity())
			.flatMapMany(Flux::fromIterable)
			.flatMapSequential((id) -> this.restrictions.hasBlocked(id, userId)
				.flatMap((blocked) -> blocked ? Mono.empty()
						: Mono.just(new Cursor(TimeSortedIdGenerator.millisOf(id), id))),
					KEPT)
			.collectList();
	}

	/** Whom the sample follows, the most often followed first. */
	private Mono<List<String>> ofFollows(List<String> sample, Set<String> known) {
		return Flux.fromIterable(sample)
			.flatMapSequential((followed) -> this.sortedSets.highest(Keys.following(followed), EACH), ASKED)
			.collect(LinkedHashMap<String, Integer>::new,
					(counts, some) -> some.forEach((id) -> counts.merge(id, 1, Integer::sum)))
			.map((counts) -> counts.entrySet()
				.stream()
				.filter((candidate) -> !known.contains(candidate.getKey()))
				.sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
				.map(Map.Entry::getKey)
				.limit(KEPT)
				.toList());
	}

	/** Those of the new users who have posted. */
	private Mono<List<String>> active(List<Cursor> newest, Set<String> known) {
		List<String> candidates = new ArrayList<>(newest.stream().map(Cursor::member).toList());
		candidates.removeAll(known);
		return Flux.fromIterable(candidates)
			.flatMapSequential(
					(id) -> this.sortedSets.size(Keys.postsOf(id)).filter((posts) -> posts > 0).map((posts) -> id))
			.collectList();
	}

}
