package live.retwis.fanout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.RedisErrorClassifier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/** The commit log as the work queue of fan-out, and how far fan-out is. */
@Repository
public class FanOutQueue extends StreamQueue<LogEntry> {

	private static final int BATCH = 64;

	private static final LuaScript TRIM = LuaScript.named("trim-log");

	private static final LuaScript STATE = LuaScript.named("fanout-state");

	private static final LuaScript SPLIT = LuaScript.named("split-fanout");

	private static final LuaScript POSTPONE = LuaScript.named("postpone-entry");

	/**
	 * Most entries that one script call trims. The call holds up other commands for about
	 * 1 ms.
	 */
	private static final int TRIM_AT_ONCE = 1000;

	/**
	 * Most entries in progress that the state lists, and most entries with tasks or
	 * postponed that one call lists. Usually there are few.
	 */
	private static final int NAMED = 1000;

	private final ReactiveStringRedisTemplate redis;

	FanOutQueue(ReactiveStringRedisTemplate redis) {
		super(new ConsumerGroup(redis, BATCH, Keys.LOG), LogEntry::of);
		this.redis = redis;
	}

	@Override
	public String id(LogEntry entry) {
		return entry.position().entryId();
	}

	/**
	 * {@code split-fanout.lua}: splits an entry into tasks. The entry is done when its
	 * tasks are done.
	 * @param begins when each task's range of follow times begins, in ms, ascending
	 */
	Mono<Void> split(LogEntry entry, long[] begins) {
		List<String> args = new ArrayList<>(
				List.of(ConsumerGroup.NAME, id(entry), entry.type().text(), entry.post(), entry.user()));
		for (long begin : begins) {
			args.add(Long.toString(begin));
		}
		return SPLIT
			.run(this.redis,
					List.of(Keys.LOG, Keys.FAN_OUT_TASKS, Keys.UNFINISHED, Keys.POSTPONED, Keys.POSTPONED_BY_COMMIT),
					args.toArray(String[]::new))
			.then();
	}

	/**
	 * {@code postpone-entry.lua}: moves the entry to {@link PostponedEntryQueue}. So an
	 * entry whose node stays away does not hold the log. While the node of the log is
	 * full, the entry waits in the log.
	 */
	@Override
	public Mono<Void> leave(LogEntry entry) {
		return POSTPONE
			.run(this.redis, List.of(Keys.LOG, Keys.POSTPONED, Keys.POSTPONED_BY_COMMIT), ConsumerGroup.NAME, id(entry))
			.then()
			.onErrorResume(RedisErrorClassifier::isAway, (full) -> super.leave(entry));
	}

	/**
	 * {@code fanout-state.lua}: asks how far fan-out is. One round trip. The answer names
	 * the oldest thousand of the entries that have tasks or are postponed.
	 */
	Mono<FanOutSnapshot> state() {
		return snapshot(state("-inf").flux());
	}

	/**
	 * The same, but the answer names them all. Another round trip for each further
	 * thousand.
	 */
	Mono<FanOutSnapshot> wholeState() {
		return snapshot(state("-inf")
			.expand((answer) -> Mono.justOrEmpty(FanOutSnapshot.listedUpTo(answer)).flatMap(this::state)));
	}

	private static Mono<FanOutSnapshot> snapshot(Flux<List<String>> answers) {
		return answers.collectList()
			.map(FanOutSnapshot::of)
			.onErrorResume(ConsumerGroup::isNoGroup, (ex) -> Mono.just(FanOutSnapshot.NOT_BEGUN));
	}

	private Mono<List<String>> state(String after) {
		return STATE.run(this.redis, List.of(Keys.LOG, Keys.UNFINISHED, Keys.POSTPONED_BY_COMMIT, Keys.DEAD_LETTERS),
				ConsumerGroup.NAME, Integer.toString(NAMED), after);
	}

	/**
	 * Whether fan-out has processed this entry and every entry before it. One round trip.
	 */
	public Mono<Boolean> isDoneUpTo(LogPosition position) {
		return state().map((state) -> state.isDoneUpTo(position));
	}

	/**
	 * {@code trim-log.lua}, repeated as long as a call trims the most it may.
	 * @param age entries younger than this are kept
	 * @param most entries kept for their age, at most
	 */
	public Mono<Void> trim(Duration age, int most) {
		return TRIM
			.run(this.redis, List.of(Keys.LOG), ConsumerGroup.NAME, Long.toString(age.toMillis()),
					Integer.toString(most), Integer.toString(TRIM_AT_ONCE))
			.flatMap((answer) -> (Integer.parseInt(answer.get(0)) >= TRIM_AT_ONCE) ? trim(age, most) : Mono.empty());
	}

}
