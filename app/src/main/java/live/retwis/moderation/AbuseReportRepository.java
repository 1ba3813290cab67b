package live.retwis.moderation;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import live.retwis.account.AccountStateRepository;
import live.retwis.post.PostCleanup;
import live.retwis.redis.DataClock;
import live.retwis.redis.DataNodeMemory;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.RandomTokens;
import live.retwis.redis.SortedSetReader;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Reports of posts: {@code {moderation}:reports} has the posts by the time of the last
 * report, {@code {moderation}:reports:{post}} has the users who reported one post, each
 * with the time and the reason.
 */
@Repository
public class AbuseReportRepository implements PostCleanup {

	/** Most posts. The post whose last report is the oldest makes room. */
	public static final int MOST_POSTS = 10_000;

	/** Most reports of one post. Later ones are not kept. */
	public static final int MOST_REPORTS = 100;

	private static final LuaScript KEEP = LuaScript.named("keep-report");

	private static final LuaScript ANONYMIZE = LuaScript.named("anonymize-report");

	/** No two reports of a post get the same random text. */
	private static final int RANDOM_BITS = 96;

	private final ReactiveStringRedisTemplate redis;

	private final SortedSetReader sortedSets;

	private final DataClock clock;

	private final DataNodeMemory memory;

	private final AccountStateRepository accounts;

	AbuseReportRepository(ReactiveStringRedisTemplate redis, SortedSetReader sortedSets, DataClock clock,
			DataNodeMemory memory, AccountStateRepository accounts) {
		this.redis = redis;
		this.memory = memory;
		this.sortedSets = sortedSets;
		this.clock = clock;
		this.accounts = accounts;
	}

	/**
	 * {@code keep-report.lua}. A user's second report of a post changes nothing. A report
	 * by a user who is gone meanwhile does not say who made it.
	 * @return done; {@link live.retwis.redis.DataNodeFullException} when a data node is
	 * nearly full
	 */
	Mono<Void> keep(String postId, String userId, String reason) {
		return this.memory.requireRoom()
			.then(this.clock.millis())
			.flatMap((now) -> KEEP.run(this.redis, List.of(Keys.REPORTS, Keys.REPORTS_OF + postId), Keys.REPORTS_OF,
					Integer.toString(MOST_POSTS), Integer.toString(MOST_REPORTS), postId, userId, Long.toString(now),
					reason))
			.then(this.accounts.ifGone(userId, anonymize(postId, userId)));
	}

	/** {@code anonymize-report.lua}: takes the user out of a report. */
	public Mono<Void> anonymize(String postId, String userId) {
		return ANONYMIZE.run(this.redis, List.of(Keys.REPORTS_OF + postId), userId, RandomTokens.ofBits(RANDOM_BITS))
			.then();
	}

	/** ZREVRANGE: ids of the reported posts, the one reported last first. */
	Flux<String> posts() {
		return this.sortedSets.highest(Keys.REPORTS, Optional.empty(), MOST_POSTS)
			.flatMapIterable((places) -> places)
			.map((place) -> place.member());
	}

	/** HGETALL: the reports of a post, the newest first. */
	Mono<List<Report>> of(String postId) {
		return this.redis.<String, String>opsForHash()
			.entries(Keys.REPORTS_OF + postId)
			.map((entry) -> Report.parse(entry.getKey(), entry.getValue()))
			.sort(Comparator.comparingLong(Report::millis).reversed())
			.collectList();
	}

	/** DEL, ZREM: removes the reports of a post. */
	Mono<Void> remove(String postId) {
		return this.redis.delete(Keys.REPORTS_OF + postId)
			.then(this.redis.opsForZSet().remove(Keys.REPORTS, postId))
			.then();
	}

	/** A report that comes later is removed when the reports are read. */
	@Override
	public Mono<Void> forget(String postId, Duration after) {
		return remove(postId);
	}

	/**
	 * A report.
	 *
	 * @param userId id of the user who reports, or a random text if the account is
	 * deleted
	 * @param millis when, in ms since the epoch
	 * @param reason what the user says about it; may be empty
	 */
	record Report(String userId, long millis, String reason) {

		/** Reads what {@code keep-report.lua} has stored. */
		static Report parse(String userId, String stored) {
			int space = stored.indexOf(' ');
			return new Report(userId, Long.parseLong(stored.substring(0, space)), stored.substring(space + 1));
		}

	}

}
