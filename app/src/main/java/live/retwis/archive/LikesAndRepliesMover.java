package live.retwis.archive;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import live.retwis.archive.ArchivedLikesAndRepliesRepository.ArchivedList;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.RedisErrorClassifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Range;
import org.springframework.data.redis.connection.Limit;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Moves the lists of archived posts to the archive when nobody has used them for a while.
 * Each step can be repeated, as with {@link ArchiveMover}: a list is read, written to the
 * archive, read back, and removed from Redis if it is still the same and was not used
 * since.
 */
@Component
class LikesAndRepliesMover {

	/** A list that was not used for so long moves. */
	static final Duration IDLE = Duration.ofHours(1);

	static final int MANY = 5_000;

	/** The same while so many lists are in Redis. */
	private static final Duration SHORT_IDLE = Duration.ofMinutes(1);

	private static final Logger log = LoggerFactory.getLogger(LikesAndRepliesMover.class);

	/** Longer lists stay in Redis. */
	private static final int MOST = 10_000;

	/** Lists moved at once. */
	private static final int BATCH = 100;

	private static final int CONCURRENCY = 16;

	private static final LuaScript READ = LuaScript.named("read-list");

	private static final LuaScript DROP = LuaScript.named("drop-list");

	private static final LuaScript REMOVE_EXACTLY = LuaScript.named("remove-exactly");

	private final ArchiveTurn turn;

	private final LikesAndRepliesArchive lists;

	private final ArchivedLikesAndRepliesRepository archive;

	private final ArchiveDatabase database;

	private final ReactiveStringRedisTemplate redis;

	private final DataClock clock;

	LikesAndRepliesMover(ArchiveTurn turn, LikesAndRepliesArchive lists, ArchivedLikesAndRepliesRepository archive,
			ArchiveDatabase database, ReactiveStringRedisTemplate redis, DataClock clock) {
		this.turn = turn;
		this.lists = lists;
		this.archive = archive;
		this.database = database;
		this.redis = redis;
		this.clock = clock;
	}

	/**
	 * Moves all lists that were not used lately. While there are many, it ends when it is
	 * another instance's turn.
	 * @param idle for how long a list must not have been used; {@link #SHORT_IDLE} at
	 * most while more than {@link #MANY} are in Redis
	 */
	Mono<Void> moveAll(Duration idle) {
		return Mono.zip(this.clock.millis(), this.redis.opsForZSet().size(Keys.ARCHIVE_LISTS), (now, here) -> {
			boolean many = here > MANY && idle.compareTo(SHORT_IDLE) > 0;
			return now - (many ? SHORT_IDLE : idle).toMillis();
		})
			.flatMap((before) -> moveSome(before).flatMap((more) -> more ? this.turn.isMine() : Mono.just(false))
				.repeat()
				.takeUntil((more) -> !more)
				.then());
	}

	/**
	 * Moves lists that were not used since a time. Each is looked at once: it is moved,
	 * or noted with a later time, or not noted any more.
	 * @return whether there may be more
	 */
	private Mono<Boolean> moveSome(long before) {
		return this.redis.opsForZSet()
			.rangeByScoreWithScores(Keys.ARCHIVE_LISTS, Range.closed(0.0, (double) before), Limit.limit().count(BATCH))
			.map((noted) -> new Cursor(Objects.requireNonNull(noted.getScore()).longValue(),
					Objects.requireNonNull(noted.getValue())))
			.collectList()
			.flatMap((noted) -> (noted.isEmpty() ? Mono.<Void>empty() : moveUnused(noted, before))
				.thenReturn(noted.size() == BATCH));
	}

	/** The database's clock is asked before the lists are read. */
	private Mono<Void> moveUnused(List<Cursor> noted, long before) {
		return this.database.clock()
			.flatMap((now) -> Flux.fromIterable(noted)
				.flatMap((list) -> read(list, before), CONCURRENCY)
				.collectList()
				.flatMap((lists) -> move(lists, now + ArchiveMover.FRESH.toMillis())));
	}

	/**
	 * The list as it is, if it is to be moved. If its key, its mark or the key of its
	 * post holds something else, it stays, and is looked at again after a while.
	 */
	private Mono<Read> read(Cursor noted, long before) {
		String name = noted.member();
		return this.lists.isOfHotPost(name)
			.flatMap((hot) -> hot ? forget(noted).then(Mono.empty())
					: READ.run(this.redis, List.of(name, Keys.listInUse(name)), Integer.toString(MOST))
						.flatMap((answer) -> read(noted, answer, before)))
			.onErrorResume((error) -> RedisErrorClassifier.isWrongType(error) || error instanceof NumberFormatException,
					(wrong) -> noteAgain(noted).then(Mono.empty()));
	}

	private Mono<Read> read(Cursor noted, List<String> answer, long before) {
		String mark = answer.get(0);
		if (mark.isEmpty() || mark.startsWith(LikesAndRepliesArchive.COMING)) {
			return this.lists.bringBack(noted.member()).then(Mono.empty());
		}
		long used = Long.parseLong(mark);
		if (!answer.get(1).isEmpty()) {
			return noteAgain(noted).then(Mono.empty());
		}
		return (used > before) ? this.lists.note(List.of(noted.member()), used).then(Mono.empty())
				: Mono.just(new Read(noted, mark, String.join(" ", answer.subList(2, answer.size()))));
	}

	/**
	 * Moves lists. When the archive refuses some, it tries smaller parts, down to one
	 * list, which stays in Redis.
	 */
	private Mono<Void> move(List<Read> lists, long deadline) {
		return lists.isEmpty() ? Mono.empty() : store(lists, deadline).onErrorResume(
				(error) -> !RedisErrorClassifier.isAway(error), (error) -> moveParts(lists, deadline, error));
	}

	private Mono<Void> moveParts(List<Read> lists, long deadline, Throwable error) {
		if (lists.size() == 1) {
			Cursor noted = lists.get(0).noted();
			log.error("The list {} cannot be moved to the archive. It stays in Redis", noted.member(), error);
			return noteAgain(noted);
		}
		int half = lists.size() / 2;
		return move(lists.subList(0, half), deadline)
			.then(Mono.defer(() -> move(lists.subList(half, lists.size()), deadline)));
	}

	private Mono<Void> store(List<Read> lists, long deadline) {
		return this.archive
			.save(lists.stream()
				.map((list) -> new ArchivedList(list.noted().member(), list.members(), Long.parseLong(list.mark())))
				.toList(), deadline)
			.then(this.archive.readBack(lists.stream().map((list) -> list.noted().member()).toList()))
			.flatMapMany((stored) -> Flux.fromIterable(lists)
				.flatMap((list) -> list.members().equals(stored.getOrDefault(list.noted().member(), "")) ? drop(list)
						: noteAgain(list.noted()), CONCURRENCY))
			.then();
	}

	private Mono<Void> drop(Read list) {
		String name = list.noted().member();
		return DROP.run(this.redis, List.of(name, Keys.listInUse(name)), list.mark(), list.members())
			.flatMap((answer) -> answer.get(0).equals("1") ? forget(list.noted()) : noteAgain(list.noted()));
	}

	/** {@code remove-exactly.lua}: a list that was brought back meanwhile stays noted. */
	private Mono<Void> forget(Cursor noted) {
		return REMOVE_EXACTLY.run(this.redis, List.of(Keys.ARCHIVE_LISTS), noted.member(), Long.toString(noted.score()))
			.then();
	}

	/** ZADD: it is looked at again after a while. */
	private Mono<Void> noteAgain(Cursor noted) {
		return this.clock.millis().flatMap((now) -> this.lists.note(List.of(noted.member()), now));
	}

	/**
	 * A list as it was read.
	 *
	 * @param noted its name, and the time that is noted of it
	 * @param mark its mark in Redis
	 */
	private record Read(Cursor noted, String mark, String members) {
	}

}
