package live.retwis.doctor;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.KeyValue;
import io.lettuce.core.Range;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.ScoredValueScanCursor;
import live.retwis.account.UserRepository;
import live.retwis.log.CommitLog;
import live.retwis.log.LogEntry;
import live.retwis.log.Position;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Reads the store in batches, so that memory is bounded. */
@Component
class StoreReader {

	/** Keys, members or entries that one command reads. */
	private static final int BATCH = 500;

	private static final ScanArgs SCAN = ScanArgs.Builder.limit(BATCH);

	private final DataNode data;

	private final CommitLog log;

	StoreReader(DataNode data, CommitLog log) {
		this.data = data;
		this.log = log;
	}

	/**
	 * SCAN on each master: returns every key that exists during the whole scan, some of
	 * them twice.
	 */
	Flux<List<String>> keys() {
		return this.data.call((c) -> c.scan(SCAN))
			.expand((cursor) -> cursor.isFinished() ? Mono.empty() : this.data.call((c) -> c.scan(cursor, SCAN)))
			.map(KeyScanCursor::getKeys);
	}

	/**
	 * ZSCAN: returns every member that exists during the whole scan, some of them twice.
	 */
	Flux<ScoredValue<String>> members(String key) {
		return this.data.call((c) -> c.zscan(key, SCAN))
			.expand((cursor) -> cursor.isFinished() ? Mono.empty() : this.data.call((c) -> c.zscan(key, cursor, SCAN)))
			.concatMapIterable(ScoredValueScanCursor::getValues);
	}

	/** XRANGE: the entries of the log from the given millisecond on. */
	Flux<LogEntry> logFrom(long millis) {
		return this.log.between(Long.toString(millis), "+");
	}

	/** XRANGE: whether the stream has the entry. */
	Mono<Boolean> entryExists(String stream, String entryId) {
		return this.data.call((c) -> c.xrange(stream, Range.create(entryId, entryId)))
			.map((entries) -> !entries.isEmpty());
	}

	/** XRANGE: the oldest entry of the log; empty when the log is empty. */
	Mono<LogEntry> logBegins() {
		return this.log.from(new Position(0, 0, ""), 1).flatMapIterable((entries) -> entries).next();
	}

	/** TYPE. */
	Mono<String> type(String key) {
		return this.data.call((c) -> c.type(key));
	}

	/** PTTL: whether the key expires. A key that does not exist counts as expiring. */
	Mono<Boolean> expires(String key) {
		return this.data.call((c) -> c.pttl(key)).map((millis) -> millis != -1);
	}

	/** GET. */
	Mono<Optional<String>> value(String key) {
		return this.data.call((c) -> c.get(key)).map(Optional::of).defaultIfEmpty(Optional.empty());
	}

	/** EXISTS. */
	Mono<Boolean> exists(String key) {
		return this.data.call((c) -> c.exists(key)).map((count) -> count > 0);
	}

	/** EXISTS on the hash of the user. */
	Mono<Boolean> userExists(String userId) {
		return exists(Keys.user(userId));
	}

	/** HMGET: whether the id belongs to a user who has not deleted the account. */
	Mono<Boolean> isUser(String userId) {
		return fields(Keys.user(userId), "auth", "state").map((fields) -> fields.containsKey("auth")
				&& !UserRepository.DELETED.equals(fields.getOrDefault("state", "")));
	}

	/** HMGET: the fields that exist. */
	Mono<Map<String, String>> fields(String key, String... names) {
		return this.data.call((c) -> c.hmget(key, names)).map((values) -> {
			Map<String, String> fields = new HashMap<>();
			values.stream().filter(KeyValue::hasValue).forEach((field) -> fields.put(field.getKey(), field.getValue()));
			return fields;
		});
	}

	/** HSTRLEN. */
	Mono<Long> length(String key, String field) {
		return this.data.call((c) -> c.hstrlen(key, field));
	}

	/** ZSCORE. */
	Mono<Optional<Double>> score(String key, String member) {
		return this.data.call((c) -> c.zscore(key, member)).map(Optional::of).defaultIfEmpty(Optional.empty());
	}

	/** ZCARD. */
	Mono<Long> size(String key) {
		return this.data.call((c) -> c.zcard(key));
	}

}
