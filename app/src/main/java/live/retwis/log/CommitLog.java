package live.retwis.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import live.retwis.redis.ConfirmedWrites;
import live.retwis.redis.DeadlineScriptRunner;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.RandomTokens;
import live.retwis.redis.TimeSortedIdGenerator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Range;
import org.springframework.data.redis.connection.Limit;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * The commit log {@code {live}:log}. A post counts as made when its entry is in the log.
 * Everything that happens after that is derived from the log.
 */
@Component
public class CommitLog {

	private static final LuaScript APPEND = LuaScript.withDeadline("append");

	private static final LuaScript PUBLISH = LuaScript.named("publish");

	private static final LuaScript OPEN = LuaScript.named("open-log");

	private static final LuaScript DISCARD_VALUE = LuaScript.named("discard-value");

	/** How long the log remembers the answer to a form that was sent. */
	public static final Duration ONCE = Duration.ofHours(1);

	/**
	 * How long the data node remembers that an account is deleted, after its data has
	 * been removed.
	 */
	public static final Duration CLOSED_KNOWN = Duration.ofDays(1);

	/**
	 * Longest difference between the clocks of a data node and of the node that replaces
	 * it.
	 */
	public static final Duration CLOCK_DIFFERENCE = Duration.ofMinutes(10);

	/** Entries that one XRANGE reads. */
	private static final int BATCH = 1000;

	private final ReactiveStringRedisTemplate redis;

	private final Intents intents;

	private final ConfirmedWrites confirmed;

	private final LogAdmissionControl admission;

	private final DeadlineScriptRunner deadlines;

	CommitLog(ReactiveStringRedisTemplate redis, Intents intents, ConfirmedWrites confirmed,
			LogAdmissionControl admission, DeadlineScriptRunner deadlines) {
		this.redis = redis;
		this.intents = intents;
		this.confirmed = confirmed;
		this.admission = admission;
		this.deadlines = deadlines;
	}

	/**
	 * Checks whether the log can take another entry.
	 * @return done; {@link LogAdmissionControl.NotAdmittedException} when too many
	 * entries wait for fan-out
	 */
	public Mono<Void> admit() {
		return this.admission.admit();
	}

	/**
	 * Checks whether the log can take another entry of something that makes the data
	 * grow.
	 * @return done; {@link LogAdmissionControl.NotAdmittedException} when too many
	 * entries wait for fan-out; {@link live.retwis.redis.DataNodeFullException} when a
	 * data node is nearly full
	 */
	public Mono<Void> admitGrowth() {
		return this.admission.admitGrowth();
	}

	/**
	 * Commits a post: {@code publish.lua}. The script sends GET once, XADD log, ZADD
	 * public (after trimming it), SET once, ZREM and ZADD intents, PUBLISH bus.
	 * @param intent the intent under which the post was stored; the script finishes it
	 * @param delivery the intent to add the post to its author's own lists; the script
	 * declares it
	 * @param digest a digest of the form's content
	 * @param publicSize most posts in the public timeline
	 * @param pulled whether readers pull the post
	 * @param facts what else the log has of the post
	 * @return the commit; empty when the intent is gone because the write took too long,
	 * or when the author has deleted the account: the caller must then throw the post
	 * away; {@link live.retwis.redis.NotConfirmedException} when too few replicas have it
	 */
	public Mono<Commit> publish(Intent intent, Intent delivery, String postId, String authorId, String once,
			String digest, int publicSize, boolean pulled, LogEntry.PostFacts facts) {
		List<String> keys = List.of(Keys.LOG, Keys.PUBLIC_TIMELINE, Keys.once(authorId, once), Keys.PULLED_AUTHORS,
				Keys.INTENTS, Keys.CLOSED_ACCOUNTS);
		return this.confirmed
			.run(PUBLISH, keys, Keys.BUS, nonce(), postId, authorId, digest, Integer.toString(publicSize),
					Long.toString(ONCE.toSeconds()), pulled ? "1" : "", intent.text(), delivery.text(),
					Long.toString(Intents.SHORT.toMillis()), facts.text())
			.filter((answer) -> !answer.isEmpty())
			.map((answer) -> new Commit(LogPosition.of(answer.get(0), answer.get(1)), answer.get(2), answer.get(3)));
	}

	/**
	 * Waits until the replicas have the post that a form made, if posts are to be
	 * confirmed.
	 * @return done; {@link live.retwis.redis.NotConfirmedException} when too few replicas
	 * have it
	 */
	public Mono<Void> confirm(String authorId, String once) {
		return this.confirmed.confirm(Keys.once(authorId, once), ONCE);
	}

	/**
	 * XRANGE in batches: when a post was committed, in ms; empty when the log does not
	 * have that entry, or no longer.
	 */
	public Mono<Long> committed(String postId) {
		long from = TimeSortedIdGenerator.millisOf(postId) - CLOCK_DIFFERENCE.toMillis();
		return between(Long.toString(from), "+")
			.filter((entry) -> entry.type() == LogEntry.Type.POST && entry.post().equals(postId))
			.next()
			.map((entry) -> entry.position().millis());
	}

	/** GET: the post that a form made in the last hour; empty for none. */
	public Mono<Commit> madeBy(String authorId, String once) {
		return answer(Keys.once(authorId, once)).map(CommitLog::commit);
	}

	/**
	 * GET, then {@code discard-value.lua}: the form makes another post when it is sent
	 * again. Changes nothing when the form did not make this post.
	 */
	public Mono<Void> forgetForm(String authorId, String once, String postId) {
		String key = Keys.once(authorId, once);
		return answer(key).filter((answer) -> commit(answer).postId().equals(postId))
			.flatMap((answer) -> DISCARD_VALUE.run(this.redis, List.of(key), "", answer))
			.then();
	}

	private Mono<String> answer(String key) {
		return this.redis.opsForValue().get(key);
	}

	/** An answer that {@code publish.lua} stored. */
	private static Commit commit(String answer) {
		String[] words = answer.split(" ");
		return new Commit(LogPosition.of(words[0], words[1]), words[2], words[3]);
	}

	/** Logs that a user deleted one of their posts. */
	public Mono<LogPosition> postDeleted(String postId, String authorId) {
		return append(LogEntry.Type.DELETE, "post", postId, "user", authorId);
	}

	/**
	 * Logs that a user deleted one of their posts, and finishes the intent. Empty when
	 * the intent was already finished.
	 */
	public Mono<LogPosition> postDeleted(Intent intent, String postId, String authorId) {
		return append(intent, LogEntry.Type.DELETE, "post", postId, "user", authorId);
	}

	/**
	 * Logs that a post is deleted that open pages need not be told of, and finishes the
	 * intent. Empty when the intent was already finished.
	 */
	public Mono<LogPosition> postWithdrawn(Intent intent, String postId, String authorId) {
		return append(intent, LogEntry.Type.DELETE, "post", postId, "user", authorId, "facts", LogEntry.SILENT);
	}

	/**
	 * Logs that a user now follows another, and finishes the intent. Empty when the
	 * intent was already finished.
	 */
	public Mono<LogPosition> followed(Intent intent, String followerId, String followedId) {
		return append(intent, LogEntry.Type.FOLLOW, "user", followerId, "other", followedId);
	}

	/**
	 * Logs that a user no longer follows another, and finishes the intent. Empty when the
	 * intent was already finished.
	 */
	public Mono<LogPosition> unfollowed(Intent intent, String followerId, String followedId) {
		return append(intent, LogEntry.Type.UNFOLLOW, "user", followerId, "other", followedId);
	}

	/**
	 * Logs whether a user has restricted another.
	 * @param type which restriction, and whether it was taken back
	 */
	public Mono<LogPosition> restricted(LogEntry.Type type, String userId, String otherId) {
		return append(type, "user", userId, "other", otherId);
	}

	/**
	 * Logs the counts of a post, such as how many replies it has. Empty when far too many
	 * entries wait for fan-out.
	 * @param facts all counts as JSON without spaces; scripts of the pages read it
	 */
	public Mono<LogPosition> counted(String postId, String authorId, String facts) {
		return appendNumber(LogEntry.Type.COUNTS, "post", postId, "user", authorId, "facts", facts);
	}

	/**
	 * Logs that counts of many posts have changed, without saying how. Empty when far too
	 * many entries wait for fan-out.
	 * @param userId whose account is deleted, so that the counts changed
	 */
	public Mono<LogPosition> recounted(String userId, Collection<String> postIds) {
		return appendNumber(LogEntry.Type.RECOUNTED, "user", userId, "facts", LogEntry.factsOf(postIds));
	}

	/**
	 * Logs how many notifications a user has not read. Empty when far too many entries
	 * wait for fan-out.
	 */
	public Mono<LogPosition> notified(String userId, long unread) {
		return appendNumber(LogEntry.Type.NOTIFY, "user", userId, "facts", "{\"unread\":" + unread + "}");
	}

	/**
	 * Logs what a user did to somebody else's post or took back, such as a like, and
	 * finishes the intent. Empty when the intent was already finished.
	 * @param type what the user did
	 */
	public Mono<LogPosition> reacted(Intent intent, LogEntry.Type type, String userId, String postId, String authorId) {
		return append(intent, type, "user", userId, "post", postId, "other", authorId);
	}

	/**
	 * Logs that sessions of a user are over, and finishes the intent. Empty when the
	 * intent was already finished.
	 */
	public Mono<LogPosition> sessionsEnded(Intent intent, String userId) {
		return append(intent, LogEntry.Type.AUTH, "user", userId);
	}

	/**
	 * Logs that what others see of a user has changed, and finishes the intent. Empty
	 * when the intent was already finished.
	 */
	public Mono<LogPosition> profileChanged(Intent intent, String userId) {
		return append(intent, LogEntry.Type.PROFILE, "user", userId);
	}

	/** Logs that a user has deleted the account. */
	public Mono<LogPosition> accountClosed(String userId) {
		return append(LogEntry.Type.CLOSED, "user", userId);
	}

	/**
	 * Logs that a user has deleted the account, and finishes the intent. Empty when the
	 * intent was already finished.
	 */
	public Mono<LogPosition> accountClosed(Intent intent, String userId) {
		return append(intent, LogEntry.Type.CLOSED, "user", userId);
	}

	/**
	 * Logs that a user was suspended or restored, and finishes the intent. Empty when the
	 * intent was already finished.
	 */
	public Mono<LogPosition> suspensionChanged(Intent intent, String userId, boolean suspended) {
		return append(intent, suspended ? LogEntry.Type.SUSPENDED : LogEntry.Type.RESTORED, "user", userId);
	}

	/**
	 * Logs that a user's data is removed, and that the user's name is free again.
	 * @param name the folded name; empty for an entry that only reminds the data node and
	 * all instances of an account that was deleted earlier
	 */
	public Mono<LogPosition> nameFreed(String userId, String name) {
		return append(LogEntry.Type.FREED, "user", userId, "facts", name);
	}

	private Mono<LogPosition> appendNumber(LogEntry.Type type, String... fields) {
		return Mono.defer(() -> this.admission.admitsNumbers() ? append(type, fields) : Mono.empty());
	}

	/** {@code append.lua}: XADD log, PUBLISH bus. */
	private Mono<LogPosition> append(LogEntry.Type type, String... fields) {
		return append("", type, fields).flatMap(CommitLog::position);
	}

	/**
	 * Appends an entry and finishes its intent in the same script. If somebody else has
	 * finished the intent, a step of this write may have arrived after that. So the write
	 * is checked again soon.
	 */
	private Mono<LogPosition> append(Intent intent, LogEntry.Type type, String... fields) {
		return append(intent.text(), type, fields).flatMap((answer) -> answer.isEmpty()
				? this.intents.requestSecondCheck(intent).then(Mono.empty()) : position(answer));
	}

	private static Mono<LogPosition> position(List<String> answer) {
		return (answer.size() == 2) ? Mono.just(LogPosition.of(answer.get(0), answer.get(1))) : Mono.empty();
	}

	private Mono<List<String>> append(String intent, LogEntry.Type type, String... fields) {
		List<String> args = new ArrayList<>(
				List.of(Keys.BUS, nonce(), intent, Long.toString(CLOSED_KNOWN.toMillis()), type.text()));
		args.addAll(List.of(fields));
		return this.deadlines.run(APPEND, List.of(Keys.LOG, Keys.INTENTS, Keys.CLOSED_ACCOUNTS, Keys.SUSPENDED),
				args.toArray(String[]::new));
	}

	/** The position of the newest entry. An empty log gets its first entry. */
	public Mono<LogPosition> head() {
		return OPEN.run(this.redis, List.of(Keys.LOG), nonce())
			.map((answer) -> LogPosition.of(answer.get(0), answer.get(1)));
	}

	/** XRANGE: entries from the given position on, inclusive, oldest first. */
	public Mono<List<LogEntry>> from(LogPosition position, int count) {
		return range(Range.rightUnbounded(Range.Bound.inclusive(position.entryId())), count);
	}

	/**
	 * XRANGE in batches: all entries between two ids, both inclusive, oldest first.
	 * @param first an id, or a millisecond, which stands for the first entry in it
	 * @param last an id, or a millisecond, which stands for the last entry in it;
	 * {@code +} for the newest entry
	 */
	public Flux<LogEntry> between(String first, String last) {
		return batch(first, last)
			.expand((entries) -> (entries.size() < BATCH) ? Mono.empty()
					: batch(after(entries.get(entries.size() - 1).position()), last))
			.concatMapIterable((entries) -> entries, 1);
	}

	private Mono<List<LogEntry>> batch(String first, String last) {
		return range(Range.closed(first, last), BATCH);
	}

	private Mono<List<LogEntry>> range(Range<String> ids, int count) {
		return this.redis.<String, String>opsForStream()
			.range(Keys.LOG, ids, Limit.limit().count(count))
			.map(LogEntry::of)
			.collectList();
	}

	private static String after(LogPosition position) {
		return new LogPosition(position.millis(), position.sequence() + 1, "").entryId();
	}

	/** XREVRANGE: entries up to the given position, inclusive, newest first. */
	public Mono<List<LogEntry>> upTo(LogPosition position, int count) {
		return reverse(Range.leftUnbounded(Range.Bound.inclusive(position.entryId())), count);
	}

	/** XREVRANGE: the newest entries, newest first. */
	public Mono<List<LogEntry>> latest(int count) {
		return reverse(Range.unbounded(), count);
	}

	private Mono<List<LogEntry>> reverse(Range<String> ids, int count) {
		return this.redis.<String, String>opsForStream()
			.reverseRange(Keys.LOG, ids, Limit.limit().count(count))
			.map(LogEntry::of)
			.collectList();
	}

	private static String nonce() {
		return RandomTokens.ofBits(48);
	}

	/**
	 * A committed post.
	 *
	 * @param position its position in the log
	 * @param postId the post that the form made, either now or when it was sent before
	 * @param digest a digest of the form's content when it made the post
	 */
	public record Commit(LogPosition position, String postId, String digest) {
	}

}
