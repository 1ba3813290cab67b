package live.retwis.fanout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

import io.lettuce.core.Consumer;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XAutoClaimArgs;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.Nonces;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

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

	private static final LuaScript RENEW = LuaScript.named("renew-claims");

	private static final LuaScript DEAD_LETTER = LuaScript.named("dead-letter");

	private static final LuaScript DEAD_LETTER_MISSING = LuaScript.named("dead-letter-missing");

	private static final LuaScript DROP_CONSUMERS = LuaScript.named("drop-consumers");

	/**
	 * An entry whose consumer has not renewed its claim for this long belongs to a dead
	 * instance.
	 */
	private static final Duration ABANDONED = Duration.ofSeconds(10);

	/** A consumer that has not asked for entries for this long is gone. */
	private static final Duration GONE = Duration.ofHours(1);

	/** Pending entries that one call checks. */
	private static final int PENDING = 64;

	/** Most entries kept in the dead-letter stream. */
	private static final int DEAD = 1000;

	private final Consumer<String> consumer = Consumer.from(NAME, MARK + Nonces.ofBits(96));

	private final DataNode data;

	private final String stream;

	/** Most entries that one call takes. */
	private final int batch;

	/**
	 * The keys of the scripts: this stream, the dead-letter stream, and indexes that list
	 * entries of this stream.
	 */
	private final List<String> keys;

	ConsumerGroup(DataNode data, int batch, String stream, String... indexes) {
		this.data = data;
		this.batch = batch;
		this.stream = stream;
		this.keys = Stream.concat(Stream.of(stream, Keys.DEAD_LETTERS), Stream.of(indexes)).toList();
	}

	/**
	 * XREADGROUP: entries that no consumer has had yet. Creates the group if it does not
	 * exist.
	 */
	Mono<List<StreamMessage<String, String>>> next() {
		return read(XReadArgs.StreamOffset.lastConsumed(this.stream));
	}

	/**
	 * XREADGROUP: entries that were handed to this consumer and are not acknowledged.
	 */
	Mono<List<StreamMessage<String, String>>> pending() {
		return read(XReadArgs.StreamOffset.from(this.stream, "0"));
	}

	private Mono<List<StreamMessage<String, String>>> read(XReadArgs.StreamOffset<String> from) {
		return this.data.call((c) -> c.xreadgroup(this.consumer, XReadArgs.Builder.count(this.batch), from))
			.map(ConsumerGroup::whole)
			.onErrorResume(ConsumerGroup::isNoGroup, (ex) -> createGroup().thenReturn(List.of()))
			.defaultIfEmpty(List.of());
	}

	/**
	 * {@code dead-letter-missing.lua}, then XAUTOCLAIM: takes over entries that a dead
	 * instance left.
	 */
	Mono<List<StreamMessage<String, String>>> abandoned() {
		return this.data
			.run(DEAD_LETTER_MISSING, this.keys, NAME, Long.toString(ABANDONED.toMillis()), Integer.toString(PENDING),
					Integer.toString(DEAD))
			.then(this.data.call((c) -> c.xautoclaim(this.stream,
					XAutoClaimArgs.Builder.xautoclaim(this.consumer, ABANDONED, "0-0").count(this.batch))))
			.map((claimed) -> whole(claimed.getMessages()))
			.onErrorResume(ConsumerGroup::isNoGroup, (ex) -> Mono.just(List.of()))
			.defaultIfEmpty(List.of());
	}

	/** XACK. */
	Mono<Void> done(String id) {
		return this.data.call((c) -> c.xack(this.stream, NAME, id)).then();
	}

	/**
	 * {@code dead-letter.lua}: moves an entry that cannot be processed to the dead-letter
	 * stream.
	 */
	Mono<Void> moveToDeadLetters(String id, Throwable error) {
		return this.data.run(DEAD_LETTER, this.keys, NAME, id, String.valueOf(error), Integer.toString(DEAD)).then();
	}

	/** {@code renew-claims.lua}: says that this instance still works on the entries. */
	Mono<Void> renew(Collection<String> ids) {
		List<String> args = new ArrayList<>(List.of(NAME, this.consumer.getName()));
		args.addAll(ids);
		return ids.isEmpty() ? Mono.empty()
				: this.data.run(RENEW, List.of(this.stream), args.toArray(String[]::new)).then();
	}

	/** {@code drop-consumers.lua}: removes consumers that are gone. */
	Mono<Void> dropConsumers() {
		return this.data.run(DROP_CONSUMERS, List.of(this.stream), NAME, Long.toString(GONE.toMillis()))
			.onErrorResume(ConsumerGroup::isNoGroup, (ex) -> Mono.empty())
			.then();
	}

	private Mono<Void> createGroup() {
		return this.data
			.call((c) -> c.xgroupCreate(XReadArgs.StreamOffset.from(this.stream, "0"), NAME,
					XGroupCreateArgs.Builder.mkstream()))
			.onErrorComplete((ex) -> message(ex).startsWith("BUSYGROUP"))
			.then();
	}

	/**
	 * Whether the group or the stream does not exist. Redis 6.2 puts the error of a
	 * script into the middle of a sentence.
	 */
	static boolean isNoGroup(Throwable ex) {
		return message(ex).contains("NOGROUP") || message(ex).contains("ERR no such key");
	}

	private static String message(Throwable ex) {
		return (ex instanceof RedisCommandExecutionException) ? String.valueOf(ex.getMessage()) : "";
	}

	/**
	 * The messages that have a body. Redis 6.2 also hands out pending entries that were
	 * deleted, without a body.
	 */
	private static List<StreamMessage<String, String>> whole(@Nullable List<StreamMessage<String, String>> messages) {
		return (messages == null) ? List.of()
				: messages.stream().filter((message) -> message.getBody() != null).toList();
	}

}
