package live.retwis.archive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import live.retwis.background.PeriodicTask;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.redis.SortedSetReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Moves old posts from Redis to the archive. One instance at a time goes through all
 * authors. Each step can be repeated, so it may die after any of them, and two may even
 * work on the same posts:
 * <ol>
 * <li>{@code mark-archived.lua} notes at each post that the archive may have it.</li>
 * <li>Lists of these posts that the archive has from before a restore are removed
 * there.</li>
 * <li>The posts are written to the archive within {@link #FRESH}, and read back.</li>
 * <li>{@code drop-archived.lua} removes each post that is still as it was written. From
 * here on the archive serves it.</li>
 * <li>{@code archive-places.lua} removes the places from the lists, and sets the
 * {@link ArchiveMarkers}.</li>
 * </ol>
 */
@Component
@ConditionalOnProperty(name = "retwis.fan-out.worker", matchIfMissing = true)
public class ArchiveMover extends PeriodicTask {

	private static final Logger log = LoggerFactory.getLogger(ArchiveMover.class);

	/** Keys, or posts, processed at once. */
	private static final int BATCH = 500;

	private static final int CONCURRENCY = 64;

	/** With more authors of whom a post cannot be moved, something else is wrong. */
	private static final int MOST_STUCK = 100;

	/** After this time without a sign another instance takes over. */
	static final Duration TURN = Duration.ofMinutes(2);

	/**
	 * How old what was read in Redis may be when it is written to the archive. Until
	 * another instance takes over, and until {@link ArchiveReconciler} deletes a post
	 * that was deleted meanwhile, it takes longer.
	 */
	static final Duration FRESH = Duration.ofMinutes(1);

	private static final LuaScript MARK = LuaScript.named("mark-archived");

	private static final LuaScript DROP = LuaScript.named("drop-archived");

	private static final LuaScript PLACES = LuaScript.named("archive-places");

	private final ArchiveTurn turn;

	private final MovablePosts movable;

	private final ArchiveDatabase database;

	private final ArchivedPostRepository archive;

	private final ArchivedPostCounter counter;

	private final PostArchive archivedPosts;

	private final LikesAndRepliesArchive lists;

	private final ArchivedLikesAndRepliesRepository archivedLists;

	private final LikesAndRepliesMover listMover;

	private final ReactiveStringRedisTemplate redis;

	private final SortedSetReader sortedSets;

	private final DataClock clock;

	private final Counter moved;

	/** When this instance last went through all posts and lists, or was started. */
	private volatile long passed = System.nanoTime();

	ArchiveMover(ArchiveTurn turn, MovablePosts movable, ArchiveDatabase database, ArchivedPostRepository archive,
			ArchivedPostCounter counter, PostArchive archivedPosts, LikesAndRepliesArchive lists,
			ArchivedLikesAndRepliesRepository archivedLists, LikesAndRepliesMover listMover,
			ReactiveStringRedisTemplate redis, SortedSetReader sortedSets, DataClock clock,
			ArchiveProperties properties, MeterRegistry meters) {
		super(properties.every());
		this.turn = turn;
		this.movable = movable;
		this.database = database;
		this.archive = archive;
		this.counter = counter;
		this.archivedPosts = archivedPosts;
		this.lists = lists;
		this.archivedLists = archivedLists;
		this.listMover = listMover;
		this.redis = redis;
		this.sortedSets = sortedSets;
		this.clock = clock;
		this.moved = Counter.builder("retwis.archive.moved")
			.description("Posts that this instance has moved to the archive")
			.register(meters);
		TimeGauge
			.builder("retwis.archive.passed", this, TimeUnit.MILLISECONDS, (mover) -> mover.sinceWholePass().toMillis())
			.description("Since when this instance has not gone through all posts; 0 without an archive")
			.register(meters);
	}

	@Override
	public void start() {
		if (this.database.isUsed()) {
			super.start();
		}
	}

	@Override
	protected Mono<Void> run() {
		return this.turn.mayBegin()
			.filter(Boolean::booleanValue)
			.flatMap((mine) -> moveAll().then(stillMine()))
			.flatMap((mine) -> this.listMover.moveAll(LikesAndRepliesMover.IDLE).then(stillMine()))
			.doOnNext((mine) -> this.passed = System.nanoTime())
			.then();
	}

	/** Empty when it is another instance's turn. */
	private Mono<Boolean> stillMine() {
		return Mono.defer(this.turn::isMine).filter(Boolean::booleanValue);
	}

	/**
	 * How long ago this instance last went through all posts and lists, or was started; 0
	 * without an archive.
	 */
	Duration sinceWholePass() {
		return this.database.isUsed() ? Duration.ofNanos(System.nanoTime() - this.passed) : Duration.ZERO;
	}

	/**
	 * Goes through all authors once. It ends when it is another instance's turn, and also
	 * while no post is to be moved it gives a sign.
	 */
	public Mono<Void> moveAll() {
		Set<String> stuck = new HashSet<>();
		return this.movable.all()
			.concatMap((posts) -> posts.buffer(BATCH)
				.concatMap((batch) -> move(batch, stuck).then(stillMine()).hasElement(), 1)
				.takeWhile(Boolean::booleanValue)
				.then(stillMine())
				.hasElement(), 1)
			.takeWhile(Boolean::booleanValue)
			.then();
	}

	/**
	 * Moves posts. When the archive refuses some, it tries smaller parts, down to one
	 * post. If a post stays, so do the author's later posts: lists in Redis must have no
	 * posts that are older than archived ones.
	 * @param stuck authors of whom a post stays
	 */
	private Mono<Void> move(List<MovablePost> all, Set<String> stuck) {
		List<MovablePost> batch = all.stream().filter((move) -> !stuck.contains(move.author())).toList();
		return batch.isEmpty() ? Mono.empty()
				: Mono
					.zip(this.database.clock(), this.clock.millis(),
							(ofArchive, ofRedis) -> move(batch, stuck, ofRedis, ofArchive + FRESH.toMillis()))
					.flatMap(Function.identity())
					.onErrorResume((error) -> !RedisErrorClassifier.isAway(error) && stuck.size() < MOST_STUCK,
							(error) -> moveParts(batch, stuck, error));
	}

	/**
	 * Moves posts, or fails.
	 * @param begun ms of Redis' clock
	 * @param deadline ms of the archive's clock, after which nothing is written
	 */
	private Mono<Void> move(List<MovablePost> batch, Set<String> stuck, long begun, long deadline) {
		return Mono
			.zip(marked(batch), pulled(batch),
					(found, pulled) -> removeLists(found.keySet(), begun).then(archived(batch, found, pulled, deadline))
						.flatMap((gone) -> removePlaces(batch, found.keySet(), gone, stuck)))
			.flatMap(Function.identity());
	}

	private Mono<Void> moveParts(List<MovablePost> batch, Set<String> stuck, Throwable error) {
		if (batch.size() == 1) {
			MovablePost move = batch.get(0);
			log.error("Post {} cannot be moved to the archive. It stays in Redis, with all later posts of its author",
					move.postId(), error);
			stuck.add(move.author());
			return Mono.empty();
		}
		int half = batch.size() / 2;
		return move(batch.subList(0, half), stuck)
			.then(Mono.defer(() -> move(batch.subList(half, batch.size()), stuck)));
	}

	/** The fields of the posts that are there. */
	private Mono<Map<String, Map<String, String>>> marked(List<MovablePost> batch) {
		return Flux.fromIterable(batch)
			.flatMap((move) -> MARK.run(this.redis, List.of(Keys.post(move.postId())))
				.filter((fields) -> !fields.isEmpty())
				.map((fields) -> Map.entry(move.postId(), fields(fields))), CONCURRENCY)
			.collectMap(Map.Entry::getKey, Map.Entry::getValue);
	}

	private static Map<String, String> fields(List<String> flat) {
		Map<String, String> fields = new HashMap<>();
		for (int i = 0; i < flat.size(); i += 2) {
			fields.put(flat.get(i), flat.get(i + 1));
		}
		return fields;
	}

	/** ZMSCORE of each author: the posts that readers pull. */
	private Mono<Set<String>> pulled(List<MovablePost> batch) {
		Map<String, List<String>> byAuthor = batch.stream()
			.collect(Collectors.groupingBy(MovablePost::author,
					Collectors.mapping(MovablePost::postId, Collectors.toList())));
		return Flux.fromIterable(byAuthor.entrySet())
			.flatMap((author) -> this.sortedSets.present(Keys.pulledOf(author.getKey()), author.getValue()),
					CONCURRENCY)
			.flatMapIterable(Function.identity())
			.collect(Collectors.toSet());
	}

	/**
	 * Writes the posts, reads them back, and removes those that are still the same. A
	 * post that was not in Redis any more may have been moved before.
	 * @param deadline ms of the archive's clock, after which nothing is written
	 * @return ids of the posts that only the archive has
	 */
	private Mono<Set<String>> archived(List<MovablePost> batch, Map<String, Map<String, String>> found,
			Set<String> pulled, long deadline) {
		Map<String, ArchivedPost> posts = new TreeMap<>();
		for (MovablePost move : batch) {
			Map<String, String> fields = found.get(move.postId());
			if (fields != null) {
				Map<String, String> stored = new HashMap<>(fields);
				stored.remove("archived");
				posts.put(move.postId(),
						new ArchivedPost(move.postId(), move.committed(), pulled.contains(move.postId()), stored));
			}
		}
		Set<String> all = batch.stream().map(MovablePost::postId).collect(Collectors.toSet());
		return this.archive.save(posts.values(), deadline).then(this.archive.readBack(all)).flatMap((stored) -> {
			Set<String> gone = new HashSet<>(stored.keySet());
			gone.removeAll(found.keySet());
			List<String> same = posts.values()
				.stream()
				.filter((post) -> post.isStoredAs(stored.get(post.id())))
				.map(ArchivedPost::id)
				.toList();
			return noteLists(posts.values()).then(drop(same, found))
				.doOnNext((dropped) -> this.moved.increment(dropped.size()))
				.map((dropped) -> {
					gone.addAll(dropped);
					return gone;
				});
		});
	}

	/**
	 * Lists of a post that is in Redis are there, too. So the archive has older ones only
	 * when Redis was restored from an older backup.
	 * @param before ms; lists that were used later have moved since
	 */
	private Mono<Void> removeLists(Collection<String> postIds, long before) {
		return this.archivedLists.removeUnused(
				postIds.stream().flatMap((id) -> Stream.of(Keys.likes(id), Keys.replies(id))).toList(), before);
	}

	/** Notes the lists of these posts, so that they move, too, when nobody uses them. */
	private Mono<Void> noteLists(Collection<ArchivedPost> posts) {
		List<String> names = new ArrayList<>();
		for (ArchivedPost post : posts) {
			if (post.count("likes") > 0) {
				names.add(Keys.likes(post.id()));
			}
			if (post.count("replies") > 0) {
				names.add(Keys.replies(post.id()));
			}
		}
		return this.clock.millis().flatMap((now) -> this.lists.note(names, now));
	}

	/** Ids of the posts that are not in Redis any more, and not deleted. */
	private Mono<Set<String>> drop(Collection<String> ids, Map<String, Map<String, String>> found) {
		return Flux.fromIterable(ids)
			.flatMap((id) -> drop(id, found.getOrDefault(id, Map.of())).filter(Boolean::booleanValue).map((gone) -> id),
					CONCURRENCY)
			.collect(Collectors.toSet());
	}

	private Mono<Boolean> drop(String id, Map<String, String> found) {
		List<String> fields = new ArrayList<>();
		found.forEach((name, value) -> fields.addAll(List.of(name, value)));
		return DROP.run(this.redis, List.of(Keys.post(id)), fields.toArray(String[]::new))
			.flatMap((answer) -> switch (answer.get(0)) {
				case "deleted" -> this.archivedPosts.deleted(id).thenReturn(false);
				// Another mover was faster. What was written now may have older counts.
				case "gone" -> this.archivedPosts.countLater(id).thenReturn(true);
				default -> Mono.just(answer.get(0).equals("1"));
			});
	}

	/**
	 * Removes the places of posts that are gone, up to the author's first post that
	 * stays. The place of a post that was not in Redis any more may have come back after
	 * it was removed. Then the post was counted before. So these are counted anew first,
	 * while the list still has them: what then leaves the list adds to the number.
	 */
	private Mono<Void> removePlaces(List<MovablePost> batch, Set<String> found, Set<String> gone, Set<String> stuck) {
		Map<String, List<String>> byAuthor = new HashMap<>();
		Set<String> movedBefore = new HashSet<>();
		for (MovablePost move : batch) {
			if (gone.contains(move.postId()) && !stuck.contains(move.author())) {
				if (!found.contains(move.postId())) {
					movedBefore.add(move.author());
				}
				byAuthor.computeIfAbsent(move.author(), (author) -> new ArrayList<>()).add(move.postId());
			}
			else if (found.contains(move.postId())) {
				stuck.add(move.author());
			}
		}
		return Flux.fromIterable(movedBefore)
			.concatMap((author) -> this.counter.count(author).onErrorComplete(ConcurrentModificationException.class))
			.thenMany(Flux.fromIterable(byAuthor.entrySet()))
			.flatMap((author) -> removePlaces(Keys.pulledOf(author.getKey()), author.getValue())
				.then(removePlaces(Keys.postsOf(author.getKey()), author.getValue())), CONCURRENCY)
			.then();
	}

	private Mono<Void> removePlaces(String key, List<String> postIds) {
		return PLACES.run(this.redis, List.of(key), postIds.toArray(String[]::new)).then();
	}

}
