package live.retwis.timeline;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.lettuce.core.Consumer;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.StreamMessage;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.XAutoClaimArgs;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.LogEntry;
import live.retwis.redis.LuaScript;
import live.retwis.redis.Nonces;
import live.retwis.redis.Position;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Repository;

/**
 * The consumer group {@code fanout} on the commit log: every entry is handed to one
 * instance, which acknowledges it when its work is done; what a dead instance left is
 * taken over by another.
 */
@Repository
class FanOutQueue {

	private static final String GROUP = "fanout";

	private static final LuaScript TRIM = LuaScript.named("trim-log");

	private static final LuaScript FLOOR = LuaScript.named("fanout-floor");

	private static final LuaScript DROP_CONSUMERS = LuaScript.named("drop-consumers");

	/** An entry that somebody has had for so long belongs to a dead instance. */
	private static final Duration ABANDONED = Duration.ofSeconds(30);

	/** A consumer that has asked for nothing for so long is gone. */
	private static final Duration GONE = Duration.ofHours(1);

	private static final int BATCH = 64;

	/**
	 * Entries trimmed by one script, which holds up every other command for about 1 ms.
	 */
	private static final int TRIM_AT_ONCE = 1000;

	/** Entries that could not be done, kept to be looked at. */
	private static final int DEAD = 1000;

	private final Consumer<String> consumer = Consumer.from(GROUP, Nonces.ofBits(96));

	private final DataNode data;

	FanOutQueue(DataNode data) {
		this.data = data;
	}

	/**
	 * XREADGROUP: entries that nobody has had yet; makes the group where it is missing.
	 */
	Mono<List<LogEntry>> next() {
		return this.data
			.call((c) -> c.xreadgroup(this.consumer, XReadArgs.Builder.count(BATCH),
					XReadArgs.StreamOffset.lastConsumed(Keys.LOG)))
			.map(FanOutQueue::entries)
			.onErrorResume(FanOutQueue::isNoGroup, (ex) -> createGroup().thenReturn(List.of()))
			.defaultIfEmpty(List.of());
	}

	/** XAUTOCLAIM: entries that a dead instance has left. */
	Mono<List<LogEntry>> abandoned() {
		return this.data
			.call((c) -> c.xautoclaim(Keys.LOG,
					XAutoClaimArgs.Builder.xautoclaim(this.consumer, ABANDONED, "0-0").count(BATCH)))
			.map((claimed) -> entries(claimed.getMessages()))
			.onErrorResume(FanOutQueue::isNoGroup, (ex) -> Mono.just(List.of()))
			.defaultIfEmpty(List.of());
	}

	/** XACK. */
	Mono<Void> done(LogEntry entry) {
		return this.data.call((c) -> c.xack(Keys.LOG, GROUP, entry.position().entryId())).then();
	}

	/**
	 * XADD {@code {live}:dead}, then XACK: one entry that cannot be done stops no other.
	 */
	Mono<Void> dead(LogEntry entry, Throwable error) {
		return this.data
			.call((c) -> c.xadd(Keys.DEAD, XAddArgs.Builder.maxlen(DEAD).approximateTrimming(), "entry",
					entry.position().entryId(), "error", String.valueOf(error)))
			.then(done(entry));
	}

	/**
	 * The position that fan-out is complete up to ({@code fanout-floor.lua}); empty when
	 * the log does not tell.
	 */
	Mono<Optional<Position>> floor() {
		return this.data.run(FLOOR, List.of(Keys.LOG), GROUP)
			.map((answer) -> answer.isEmpty() ? Optional.<Position>empty()
					: Optional.of(Position.of(answer.get(0), answer.get(1))))
			.onErrorResume(FanOutQueue::isNoGroup, (ex) -> Mono.just(Optional.empty()));
	}

	/** {@code trim-log.lua}, again while there is more than one call trims. */
	Mono<Void> trim(int keep) {
		return this.data.run(TRIM, List.of(Keys.LOG), GROUP, Integer.toString(keep), Integer.toString(TRIM_AT_ONCE))
			.flatMap((answer) -> (Integer.parseInt(answer.get(0)) >= TRIM_AT_ONCE) ? trim(keep) : Mono.empty());
	}

	/**
	 * {@code drop-consumers.lua}: forgets instances that are gone and have nothing left.
	 */
	Mono<Void> dropConsumers() {
		return this.data.run(DROP_CONSUMERS, List.of(Keys.LOG), GROUP, Long.toString(GONE.toMillis())).then();
	}

	private Mono<Void> createGroup() {
		return this.data
			.call((c) -> c.xgroupCreate(XReadArgs.StreamOffset.from(Keys.LOG, "0"), GROUP,
					XGroupCreateArgs.Builder.mkstream()))
			.onErrorComplete((ex) -> message(ex).startsWith("BUSYGROUP"))
			.then();
	}

	/** Redis 6.2 puts what a script got into the middle of a sentence. */
	private static boolean isNoGroup(Throwable ex) {
		return message(ex).contains("NOGROUP") || message(ex).contains("ERR no such key");
	}

	private static String message(Throwable ex) {
		return (ex instanceof RedisCommandExecutionException) ? String.valueOf(ex.getMessage()) : "";
	}

	private static List<LogEntry> entries(@Nullable List<StreamMessage<String, String>> messages) {
		return (messages == null) ? List.of()
				: messages.stream()
					.filter((message) -> message.getBody() != null)
					.map((message) -> LogEntry.of(message.getId(), message.getBody()))
					.toList();
	}

}
