package live.retwis.fanout;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.RandomTokens;
import live.retwis.redis.RedisErrorClassifier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Range;
import org.springframework.data.redis.connection.Limit;
import org.springframework.data.redis.connection.ReactiveStreamCommands;
import org.springframework.data.redis.connection.stream.ByteBufferRecord;
import org.springframework.data.redis.connection.stream.Consumer;
import org.springframework.data.redis.connection.stream.MapRecord;
import org.springframework.data.redis.connection.stream.ReadOffset;
import org.springframework.data.redis.connection.stream.RecordId;
import org.springframework.data.redis.connection.stream.StreamOffset;
import org.springframework.data.redis.connection.stream.StreamReadOptions;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

/**
 * The consumer group {@code fanout} on one stream. Each entry is handed to one instance,
 * which acknowledges it when its work is done. If that instance dies, another one takes
 * the entry over.
 */
final class ConsumerGroup {

	static final String NAME = "fanout";

	/**
	 * Prefix of the names of consumers whose home timelines lie in buckets. Consumers of
	 * older releases have other names, and write to other timelines.
	 */
	static final String MARK = "buckets:";

	/** The consumer of entries that were left for later. No instance has this name. */
	static final String NOBODY = MARK + "nobody";

	private static final LuaScript MOVE_CLAIMS = LuaScript.named("move-claims");

	private static final LuaScript DEAD_LETTER = LuaScript.named("dead-letter");

	private static final LuaScript ABANDONED_ENTRIES = LuaScript.named("abandoned-entries");

	private static final LuaScript FINISH = LuaScript.named("finish-task");

	private static final LuaScript DROP_CONSUMERS = LuaScript.named("drop-consumers");

	/**
	 * An entry whose consumer has not renewed its claim for this long belongs to a dead
	 * instance. One that was left for later is left alone for as long.
	 */
	static final Duration ABANDONED = Duration.ofSeconds(10);

	/** A consumer that has not asked for entries for this long is gone. */
	private static final Duration GONE = Duration.ofHours(1);

	/**
	 * Pending entries that one call checks. The next call comes when all of them are in
	 * progress, and looks first for entries of dead instances.
	 */
	private static final int PENDING = 16;

	/** More entries than a consumer has at a time. */
	private static final int OWN = 512;

	/** Entries that one XRANGE reads. */
	private static final int BATCH_OF_ALL = 1000;

	/** Most entries kept in the dead-letter stream. */
	private static final int DEAD = 1000;

	private final Consumer consumer = Consumer.from(NAME, MARK + RandomTokens.ofBits(96));

	private final ReactiveStringRedisTemplate redis;

	private final String stream;

	/** Most entries that one call takes. */
	private final int batch;

	/**
	 * The keys of the scripts: this stream, the dead-letter stream, and indexes that list
	 * entries of this stream.
	 */
	private final List<String> keys;

	/** Where the next look for entries that were left for later begins and ends. */
	private volatile List<String> left = List.of("-", "+");

	ConsumerGroup(ReactiveStringRedisTemplate redis, int batch, String stream, String... indexes) {
		this.redis = redis;
		this.batch = batch;
		this.stream = stream;
		this.keys = Stream.concat(Stream.of(stream, Keys.DEAD_LETTERS), Stream.of(indexes)).toList();
	}

	/**
	 * XREADGROUP: entries that no consumer has had yet. Creates the group if it does not
	 * exist.
	 */
	Mono<List<MapRecord<String, String, String>>> next() {
		return read(ReadOffset.lastConsumed(), this.batch);
	}

	/**
	 * XREADGROUP: entries that were handed to this consumer and are not acknowledged.
	 */
	Mono<List<MapRecord<String, String, String>>> pending() {
		return read(ReadOffset.from("0"), OWN);
	}

	private Mono<List<MapRecord<String, String, String>>> read(ReadOffset from, int most) {
		return entries((commands, stream) -> commands.xReadGroup(this.consumer, StreamReadOptions.empty().count(most),
				StreamOffset.create(stream, from)))
			.onErrorResume(ConsumerGroup::isNoGroup, (ex) -> createGroup().thenReturn(List.of()));
	}

	/**
	 * {@code abandoned-entries.lua}, then XCLAIM if it found any: takes over entries that
	 * a dead instance had, or that were left for later.
	 */
	Mono<List<MapRecord<String, String, String>>> abandoned() {
		return Mono
			.defer(() -> ABANDONED_ENTRIES.run(this.redis, this.keys, NAME, Long.toString(ABANDONED.toMillis()),
					Integer.toString(Math.min(PENDING, this.batch)), Integer.toString(DEAD), NOBODY, this.left.get(0),
					this.left.get(1)))
			.doOnNext((answer) -> this.left = answer.subList(0, 2))
			.map((answer) -> answer.subList(2, answer.size()))
			.flatMap((ids) -> ids.isEmpty() ? Mono.just(List.<MapRecord<String, String, String>>of())
					: entries((commands, stream) -> commands.xClaim(stream, NAME, this.consumer.getName(), ABANDONED,
							ids.stream().map(RecordId::of).toArray(RecordId[]::new))))
			.onErrorResume(ConsumerGroup::isNoGroup, (ex) -> Mono.just(List.of()));
	}

	/**
	 * The entries that have content. Redis also hands out pending entries that were
	 * deleted, without content.
	 */
	private Mono<List<MapRecord<String, String, String>>> entries(
			BiFunction<ReactiveStreamCommands, ByteBuffer, Flux<ByteBufferRecord>> command) {
		ByteBuffer name = ByteBuffer.wrap(this.stream.getBytes(StandardCharsets.UTF_8));
		return this.redis.execute((connection) -> command.apply(connection.streamCommands(), name))
			.filter((entry) -> entry.getValue() != null)
			.map(this.redis.<String, String>opsForStream()::deserializeRecord)
			.collectList();
	}

	/**
	 * XACK. If the stream has an index, {@code finish-task.lua}, which also removes the
	 * entry.
	 */
	Mono<Void> done(String id) {
		List<String> indexed = Stream.concat(Stream.of(this.stream), this.keys.stream().skip(2)).toList();
		return (indexed.size() == 1) ? this.redis.opsForStream().acknowledge(this.stream, NAME, id).then()
				: FINISH.run(this.redis, indexed, NAME, id).then();
	}

	/** XRANGE in batches: all entries of the stream. */
	Flux<MapRecord<String, String, String>> all() {
		return batch(Range.unbounded())
			.expand((entries) -> (entries.size() < BATCH_OF_ALL) ? Mono.empty()
					: batch(Range
						.rightUnbounded(Range.Bound.exclusive(entries.get(entries.size() - 1).getId().getValue()))))
			.concatMapIterable((entries) -> entries);
	}

	private Mono<List<MapRecord<String, String, String>>> batch(Range<String> ids) {
		return this.redis.<String, String>opsForStream()
			.range(this.stream, ids, Limit.limit().count(BATCH_OF_ALL))
			.collectList();
	}

	/**
	 * {@code dead-letter.lua}: moves an entry that cannot be processed to the dead-letter
	 * stream.
	 */
	Mono<Void> moveToDeadLetters(String id, Throwable error) {
		return DEAD_LETTER
			.run(this.redis, this.keys, NAME, id, RedisErrorClassifier.reason(error).toString(), Integer.toString(DEAD))
			.then();
	}

	/** {@code move-claims.lua}: says that this instance still works on the entries. */
	Mono<Void> renew(Collection<String> ids) {
		return moveClaims(this.consumer.getName(), ids);
	}

	/**
	 * {@code move-claims.lua}: leaves an entry for later, unless another instance has
	 * taken it over. So the entries that this consumer keeps are in progress, or their
	 * delivery was lost.
	 */
	Mono<Void> leave(String id) {
		return moveClaims(NOBODY, List.of(id));
	}

	private Mono<Void> moveClaims(String to, Collection<String> ids) {
		List<String> args = new ArrayList<>(List.of(NAME, this.consumer.getName(), to));
		args.addAll(ids);
		return ids.isEmpty() ? Mono.empty()
				: MOVE_CLAIMS.run(this.redis, List.of(this.stream), args.toArray(String[]::new)).then();
	}

	/** {@code drop-consumers.lua}: removes consumers that are gone. */
	Mono<Void> dropConsumers() {
		return DROP_CONSUMERS.run(this.redis, List.of(this.stream), NAME, Long.toString(GONE.toMillis()))
			.onErrorResume(ConsumerGroup::isNoGroup, (ex) -> Mono.empty())
			.then();
	}

	private Mono<Void> createGroup() {
		return this.redis.opsForStream()
			.createGroup(this.stream, ReadOffset.from("0"), NAME)
			.onErrorComplete((ex) -> DataNodeCommands.refusal(ex).startsWith("BUSYGROUP"))
			.then();
	}

	/**
	 * Whether the group or the stream does not exist. Redis 6.2 puts the error of a
	 * script into the middle of a sentence.
	 */
	static boolean isNoGroup(Throwable ex) {
		String refusal = DataNodeCommands.refusal(ex);
		return refusal.contains("NOGROUP") || refusal.contains("ERR no such key");
	}

}
