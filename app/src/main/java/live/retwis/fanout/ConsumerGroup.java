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
 * The consumer group {@code fanout} on one stream: every entry is handed to one instance,
 * which acknowledges it when its work is done; what a dead instance left is taken over by
 * another.
 */
final class ConsumerGroup {

	static final String NAME = "fanout";

	/**
	 * What consumers are called whose home timelines lie in buckets. Those of older
	 * releases have other names, and write other timelines.
	 */
	static final String MARK = "buckets:";

	private static final LuaScript RENEW = LuaScript.named("renew-claims");

	private static final LuaScript BURY = LuaScript.named("bury");

	private static final LuaScript BURY_MISSING = LuaScript.named("bury-missing");

	private static final LuaScript DROP_CONSUMERS = LuaScript.named("drop-consumers");

	/**
	 * An entry that somebody has had for so long without a word belongs to a dead
	 * instance.
	 */
	private static final Duration ABANDONED = Duration.ofSeconds(10);

	/** A consumer that has asked for nothing for so long is gone. */
	private static final Duration GONE = Duration.ofHours(1);

	/** Pending entries looked at together. */
	private static final int PENDING = 64;

	/** Entries that could not be done, kept to be looked at. */
	private static final int DEAD = 1000;

	private final Consumer<String> consumer = Consumer.from(NAME, MARK + Nonces.ofBits(96));

	private final DataNode data;

	private final String stream;

	/** Entries taken up together. */
	private final int batch;

	/** The stream, that of the dead, and what else knows of an entry. */
	private final List<String> keys;

	ConsumerGroup(DataNode data, int batch, String stream, String... indexes) {
		this.data = data;
		this.batch = batch;
		this.stream = stream;
		this.keys = Stream.concat(Stream.of(stream, Keys.DEAD), Stream.of(indexes)).toList();
	}

	/**
	 * XREADGROUP: entries that nobody has had yet; makes the group where it is missing.
	 */
	Mono<List<StreamMessage<String, String>>> next() {
		return read(XReadArgs.StreamOffset.lastConsumed(this.stream));
	}

	/** XREADGROUP: entries that this consumer has had. */
	Mono<List<StreamMessage<String, String>>> handed() {
		return read(XReadArgs.StreamOffset.from(this.stream, "0"));
	}

	private Mono<List<StreamMessage<String, String>>> read(XReadArgs.StreamOffset<String> from) {
		return this.data.call((c) -> c.xreadgroup(this.consumer, XReadArgs.Builder.count(this.batch), from))
			.map(ConsumerGroup::whole)
			.onErrorResume(ConsumerGroup::isNoGroup, (ex) -> createGroup().thenReturn(List.of()))
			.defaultIfEmpty(List.of());
	}

	/**
	 * {@code bury-missing.lua}, then XAUTOCLAIM: entries that a dead instance has left.
	 */
	Mono<List<StreamMessage<String, String>>> abandoned() {
		return this.data
			.run(BURY_MISSING, this.keys, NAME, Long.toString(ABANDONED.toMillis()), Integer.toString(PENDING),
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

	/** {@code bury.lua}. */
	Mono<Void> bury(String id, Throwable error) {
		return this.data.run(BURY, this.keys, NAME, id, String.valueOf(error), Integer.toString(DEAD)).then();
	}

	/** {@code renew-claims.lua}. */
	Mono<Void> renew(Collection<String> ids) {
		List<String> args = new ArrayList<>(List.of(NAME, this.consumer.getName()));
		args.addAll(ids);
		return ids.isEmpty() ? Mono.empty()
				: this.data.run(RENEW, List.of(this.stream), args.toArray(String[]::new)).then();
	}

	/** {@code drop-consumers.lua}. */
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

	/** Redis 6.2 puts what a script got into the middle of a sentence. */
	static boolean isNoGroup(Throwable ex) {
		return message(ex).contains("NOGROUP") || message(ex).contains("ERR no such key");
	}

	private static String message(Throwable ex) {
		return (ex instanceof RedisCommandExecutionException) ? String.valueOf(ex.getMessage()) : "";
	}

	/** Redis 6.2 hands out pending entries that are gone, too. */
	private static List<StreamMessage<String, String>> whole(@Nullable List<StreamMessage<String, String>> messages) {
		return (messages == null) ? List.of()
				: messages.stream().filter((message) -> message.getBody() != null).toList();
	}

}
