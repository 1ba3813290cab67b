package live.retwis.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.Nonces;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * The commit log {@code {live}:log}: a post counts as made when its entry is in it, and
 * everything that happens after is derived from it.
 */
@Component
public class CommitLog {

	private static final LuaScript APPEND = LuaScript.named("append");

	private static final LuaScript PUBLISH = LuaScript.named("publish");

	private static final LuaScript OPEN = LuaScript.named("open-log");

	/** How long the answer to a sent form is remembered. */
	public static final Duration ONCE = Duration.ofHours(1);

	/**
	 * For so long it is known of a user who is cleared away that the account is deleted.
	 */
	public static final Duration CLOSED_KNOWN = Duration.ofDays(1);

	/** Entries of one XRANGE. */
	private static final int BATCH = 1000;

	private final DataNode data;

	private final Intents intents;

	private final ConfirmedWrites confirmed;

	private final LogBacklog backlog;

	CommitLog(DataNode data, Intents intents, ConfirmedWrites confirmed, LogBacklog backlog) {
		this.data = data;
		this.intents = intents;
		this.confirmed = confirmed;
		this.backlog = backlog;
	}

	/**
	 * Whether another entry can be taken.
	 * @return done; {@link LogBacklog.Overloaded} when too much waits for fan-out
	 */
	public Mono<Void> admit() {
		return this.backlog.admit();
	}

	/**
	 * Commits a post: {@code publish.lua}, which does GET once, XADD log, ZADD public
	 * (trimmed before), SET once, ZREM and ZADD intents, PUBLISH bus.
	 * @param intent under which the post was stored, finished by this
	 * @param delivery declared by this: the post is to come into its author's lists
	 * @param digest stands for what the form said
	 * @param publicSize most posts in the public timeline
	 * @param pulled whether readers pull the post
	 * @return its place; empty when the intent is not there any more, for it took too
	 * long, or the author has deleted the account: the post is to be thrown away then;
	 * {@link NotConfirmed} when too few replicas have it
	 */
	public Mono<Commit> publish(Intent intent, Intent delivery, String postId, String authorId, String once,
			String digest, int publicSize, boolean pulled) {
		List<String> keys = List.of(Keys.LOG, Keys.PUBLIC_TIMELINE, Keys.once(authorId, once), Keys.PULLED_AUTHORS,
				Keys.INTENTS, Keys.CLOSED_ACCOUNTS);
		return this.confirmed
			.run(PUBLISH, keys, Keys.BUS, nonce(), postId, authorId, digest, Integer.toString(publicSize),
					Long.toString(ONCE.toSeconds()), pulled ? "1" : "", intent.text(), delivery.text(),
					Long.toString(Intents.SHORT.toMillis()))
			.filter((answer) -> !answer.isEmpty())
			.map((answer) -> new Commit(Position.of(answer.get(0), answer.get(1)), answer.get(2), answer.get(3)));
	}

	/** A user deleted a post of theirs. */
	public Mono<Position> postDeleted(String postId, String authorId) {
		return append(LogEntry.Type.DELETE, "post", postId, "user", authorId);
	}

	/** The same, which finishes that intent; empty when it was finished before. */
	public Mono<Position> postDeleted(Intent intent, String postId, String authorId) {
		return append(intent, LogEntry.Type.DELETE, "post", postId, "user", authorId);
	}

	/**
	 * A user follows another from now on, which finishes that intent; empty when it was
	 * finished before.
	 */
	public Mono<Position> followed(Intent intent, String followerId, String followedId) {
		return append(intent, LogEntry.Type.FOLLOW, "user", followerId, "other", followedId);
	}

	/**
	 * A user follows another no longer, which finishes that intent; empty when it was
	 * finished before.
	 */
	public Mono<Position> unfollowed(Intent intent, String followerId, String followedId) {
		return append(intent, LogEntry.Type.UNFOLLOW, "user", followerId, "other", followedId);
	}

	/** A post has so many replies now. */
	public Mono<Position> repliesCounted(String postId, String authorId, long replies) {
		return append(LogEntry.Type.COUNTS, "post", postId, "user", authorId, "facts",
				"{\"post\":\"" + postId + "\",\"replies\":" + replies + "}");
	}

	/**
	 * All sessions of a user are over, which finishes that intent; empty when it was
	 * finished before.
	 */
	public Mono<Position> sessionsEnded(Intent intent, String userId) {
		return append(intent, LogEntry.Type.AUTH, "user", userId);
	}

	/** A user has deleted the account. */
	public Mono<Position> accountClosed(String userId) {
		return append(LogEntry.Type.CLOSED, "user", userId);
	}

	/** The same, which finishes that intent; empty when it was finished before. */
	public Mono<Position> accountClosed(Intent intent, String userId) {
		return append(intent, LogEntry.Type.CLOSED, "user", userId);
	}

	/** A name, folded, is nobody's again. */
	public Mono<Position> nameFreed(String userId, String name) {
		return append(LogEntry.Type.FREED, "user", userId, "facts", name);
	}

	/** {@code append.lua}: XADD log, PUBLISH bus. */
	private Mono<Position> append(LogEntry.Type type, String... fields) {
		return append("", type, fields).flatMap(CommitLog::position);
	}

	/**
	 * Where somebody else has finished the intent, a step of this write may have come
	 * after that: it is looked at once more, soon.
	 */
	private Mono<Position> append(Intent intent, LogEntry.Type type, String... fields) {
		return append(intent.text(), type, fields).flatMap(
				(answer) -> answer.isEmpty() ? this.intents.declareAgain(intent).then(Mono.empty()) : position(answer));
	}

	private static Mono<Position> position(List<String> answer) {
		return (answer.size() == 2) ? Mono.just(Position.of(answer.get(0), answer.get(1))) : Mono.empty();
	}

	private Mono<List<String>> append(String intent, LogEntry.Type type, String... fields) {
		List<String> args = new ArrayList<>(
				List.of(Keys.BUS, nonce(), intent, Long.toString(CLOSED_KNOWN.toMillis()), type.text()));
		args.addAll(List.of(fields));
		return this.data.run(APPEND, List.of(Keys.LOG, Keys.INTENTS, Keys.CLOSED_ACCOUNTS),
				args.toArray(String[]::new));
	}

	/**
	 * The place of the newest entry; a log without entries gets its first one.
	 */
	public Mono<Position> head() {
		return this.data.run(OPEN, List.of(Keys.LOG), nonce())
			.map((answer) -> Position.of(answer.get(0), answer.get(1)));
	}

	/**
	 * XRANGE: entries from that place on, itself included, oldest first.
	 */
	public Mono<List<LogEntry>> from(Position position, int count) {
		return this.data.call((c) -> c.xrange(Keys.LOG,
				Range.from(Range.Boundary.including(position.entryId()), Range.Boundary.unbounded()),
				Limit.from(count)))
			.map(CommitLog::entries);
	}

	/**
	 * XRANGE, batch by batch: all entries between two ids, both included, oldest first.
	 * @param first an id, or a millisecond for its first entry
	 * @param last an id, or a millisecond for its last entry; {@code +} for the newest
	 */
	public Flux<LogEntry> between(String first, String last) {
		return batch(first, last)
			.expand((entries) -> (entries.size() < BATCH) ? Mono.empty()
					: batch(after(entries.get(entries.size() - 1).position()), last))
			.concatMapIterable((entries) -> entries);
	}

	private Mono<List<LogEntry>> batch(String first, String last) {
		return this.data.call((c) -> c.xrange(Keys.LOG, Range.create(first, last), Limit.from(BATCH)))
			.map(CommitLog::entries);
	}

	private static String after(Position position) {
		return new Position(position.millis(), position.sequence() + 1, "").entryId();
	}

	/**
	 * XREVRANGE: entries up to that place, itself included, newest first.
	 */
	public Mono<List<LogEntry>> upTo(Position position, int count) {
		return this.data.call((c) -> c.xrevrange(Keys.LOG,
				Range.from(Range.Boundary.unbounded(), Range.Boundary.including(position.entryId())),
				Limit.from(count)))
			.map(CommitLog::entries);
	}

	private static List<LogEntry> entries(List<StreamMessage<String, String>> messages) {
		return messages.stream().map((message) -> LogEntry.of(message.getId(), message.getBody())).toList();
	}

	private static String nonce() {
		return Nonces.ofBits(48);
	}

	/**
	 * A committed post.
	 *
	 * @param position its place in the log
	 * @param postId the post that this form made, now or when it was sent before
	 * @param digest what the form said then
	 */
	public record Commit(Position position, String postId, String digest) {
	}

}
