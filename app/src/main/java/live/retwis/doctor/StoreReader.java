package live.retwis.doctor;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import live.retwis.account.AccountStateRepository;
import live.retwis.log.CommitLog;
import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.redis.HashFields;
import live.retwis.redis.Keys;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Range;
import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;
import org.springframework.stereotype.Component;

/** Reads the store in batches, so that memory is bounded. */
@Component
class StoreReader {

	/** Keys, members or entries that one command reads. */
	private static final int BATCH = 500;

	private static final ScanOptions SCAN = ScanOptions.scanOptions().count(BATCH).build();

	private final ReactiveStringRedisTemplate redis;

	private final CommitLog log;

	private final ArchiveReader archive;

	StoreReader(ReactiveStringRedisTemplate redis, CommitLog log, ArchiveReader archive) {
		this.redis = redis;
		this.log = log;
		this.archive = archive;
	}

	/**
	 * SCAN on each master: returns every key that exists during the whole scan, some of
	 * them twice. After the keys come the authors in the archive.
	 */
	Flux<List<String>> keys() {
		return this.redis.scan(SCAN)
			.concatWith(this.archive.authors())
			.concatWith(this.archive.lists())
			.concatWith(this.archive.indexed())
			.buffer(BATCH);
	}

	/** How often the archive could not be asked since this instance has started. */
	long unansweredByArchive() {
		return this.archive.unansweredCount();
	}

	/**
	 * ZSCAN: returns every member that exists during the whole scan, some of them twice.
	 */
	Flux<Member> members(String key) {
		return this.redis.opsForZSet().scan(key, SCAN).map(Member::of);
	}

	/** XRANGE: the entries of the log. */
	Flux<LogEntry> entries() {
		return this.log.between("-", "+");
	}

	/** {@link CommitLog#committed}. */
	Mono<Long> committed(String postId) {
		return this.log.committed(postId);
	}

	/** XRANGE: whether the stream has the entry. */
	Mono<Boolean> entryExists(String stream, String entryId) {
		return this.redis.opsForStream().range(stream, Range.closed(entryId, entryId)).hasElements();
	}

	/** XRANGE: the oldest entry of the log; empty when the log is empty. */
	Mono<LogEntry> oldestEntry() {
		return this.log.from(new LogPosition(0, 0, ""), 1).flatMapIterable((entries) -> entries).next();
	}

	/** TYPE. */
	Mono<String> type(String key) {
		return this.redis.type(key).map(DataType::code);
	}

	/** PTTL: whether the key expires. A key that does not exist counts as expiring. */
	Mono<Boolean> expires(String key) {
		return this.redis.getExpire(key).map((left) -> !left.isZero()).defaultIfEmpty(true);
	}

	/** GET. */
	Mono<Optional<String>> value(String key) {
		return this.redis.opsForValue().get(key).singleOptional();
	}

	/** EXISTS. */
	Mono<Boolean> exists(String key) {
		return this.redis.hasKey(key);
	}

	/**
	 * EXISTS, or the archive has the post. If the archive cannot be asked, the post
	 * counts as there.
	 */
	Mono<Boolean> postExists(String postId) {
		return exists(Keys.post(postId)).flatMap((there) -> there ? Mono.just(true)
				: this.archive.post(postId).map(Optional::isPresent).defaultIfEmpty(true));
	}

	/** EXISTS: whether only the archive has a post. */
	Mono<Boolean> isArchived(String postId) {
		return exists(Keys.post(postId)).flatMap((there) -> there ? Mono.just(false)
				: this.archive.post(postId).map(Optional::isPresent).defaultIfEmpty(false));
	}

	/**
	 * HMGET: the fields of a post that exist. Those of a post that Redis does not have
	 * come from the archive. Empty when the archive cannot be asked.
	 */
	Mono<Map<String, String>> post(String postId, String... names) {
		return fields(Keys.post(postId), names).flatMap((fields) -> !fields.isEmpty() ? Mono.just(fields)
				: this.archive.post(postId).map((post) -> post.map((old) -> {
					Map<String, String> some = new HashMap<>(old.fields());
					some.keySet().retainAll(List.of(names));
					return some;
				}).orElse(fields)));
	}

	/** EXISTS on the hash of the user. */
	Mono<Boolean> userExists(String userId) {
		return exists(Keys.user(userId));
	}

	/** HMGET: whether the id belongs to a user who has not deleted the account. */
	Mono<Boolean> isUser(String userId) {
		return fields(Keys.user(userId), "auth", "state").map((fields) -> fields.containsKey("auth")
				&& !AccountStateRepository.DELETED.equals(fields.getOrDefault("state", "")));
	}

	/** {@link #isUser}, or the id belongs to a user who {@link #isLost}. */
	Mono<Boolean> mayBeUser(String userId) {
		return isUser(userId).flatMap((is) -> is ? Mono.just(true) : isLost(userId));
	}

	/**
	 * Whether a user {@link #isMissing}, but {@link #hasTraces}: a backup may have the
	 * hash. When the account is deleted, the traces go before the hash.
	 */
	Mono<Boolean> isLost(String userId) {
		return isMissing(userId).flatMap((missing) -> missing ? hasTraces(userId) : Mono.just(false));
	}

	/** Whether the hash of a user is not there, who has not deleted the account. */
	Mono<Boolean> isMissing(String userId) {
		return userExists(userId)
			.flatMap((there) -> there ? Mono.just(false) : score(Keys.CLOSED_ACCOUNTS, userId).map(Optional::isEmpty));
	}

	/**
	 * EXISTS on the lists of what a user has made, and of where the user has logged in.
	 */
	Mono<Boolean> hasTraces(String userId) {
		return Flux
			.just(Keys.postsOf(userId), Keys.following(userId), Keys.followers(userId), Keys.liked(userId),
					Keys.bookmarks(userId), Keys.muted(userId), Keys.blocked(userId), Keys.sessionsOf(userId),
					Keys.devicesOf(userId))
			.concatMap(this::exists)
			.any(Boolean::booleanValue);
	}

	/** HMGET: the fields that exist. */
	Mono<Map<String, String>> fields(String key, String... names) {
		return HashFields.read(this.redis, key, names);
	}

	/** HGETALL: the names of all fields. */
	Flux<String> fieldNames(String key) {
		return this.redis.<String, String>opsForHash().entries(key).map(Map.Entry::getKey);
	}

	/** HGETALL: the values of all fields. */
	Flux<String> values(String key) {
		return this.redis.<String, String>opsForHash().entries(key).map(Map.Entry::getValue);
	}

	/** HLEN. */
	Mono<Long> fieldCount(String key) {
		return this.redis.opsForHash().size(key);
	}

	/** HSTRLEN. */
	Mono<Long> length(String key, String field) {
		return this.redis.execute((c) -> c.hashCommands().hStrLen(bytes(key), bytes(field))).next();
	}

	private static ByteBuffer bytes(String text) {
		return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
	}

	/** ZSCORE. */
	Mono<Optional<Double>> score(String key, String member) {
		return this.redis.opsForZSet().score(key, member).singleOptional();
	}

	/** ZCARD. */
	Mono<Long> size(String key) {
		return this.redis.opsForZSet().size(key);
	}

	/**
	 * A member of a sorted set.
	 *
	 * @param value the member itself
	 */
	record Member(String value, double score) {

		static Member of(TypedTuple<String> member) {
			return new Member(Objects.requireNonNull(member.getValue()), Objects.requireNonNull(member.getScore()));
		}

	}

}
