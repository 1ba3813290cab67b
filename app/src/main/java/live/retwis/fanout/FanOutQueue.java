package live.retwis.fanout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.lettuce.core.StreamMessage;
import live.retwis.log.LogEntry;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Repository;

/**
 * The entries of the commit log that fan-out has to do, and how far it is.
 */
@Repository
public class FanOutQueue implements WorkQueue<LogEntry> {

	private static final int BATCH = 64;

	private static final LuaScript TRIM = LuaScript.named("trim-log");

	private static final LuaScript STATE = LuaScript.named("fanout-state");

	private static final LuaScript SPLIT = LuaScript.named("split-fanout");

	/**
	 * Entries trimmed by one script, which holds up every other command for about 1 ms.
	 */
	private static final int TRIM_AT_ONCE = 1000;

	/** Entries and pieces under way that an instance asks for; mostly there are few. */
	private static final int NAMED = 1000;

	private final DataNode data;

	private final ConsumerGroup group;

	FanOutQueue(DataNode data) {
		this.data = data;
		this.group = new ConsumerGroup(data, BATCH, Keys.LOG);
	}

	@Override
	public Mono<List<LogEntry>> next() {
		return this.group.next().map(FanOutQueue::entries);
	}

	@Override
	public Mono<List<LogEntry>> handed() {
		return this.group.handed().map(FanOutQueue::entries);
	}

	@Override
	public Mono<List<LogEntry>> abandoned() {
		return this.group.abandoned().map(FanOutQueue::entries);
	}

	private static List<LogEntry> entries(List<StreamMessage<String, String>> messages) {
		return messages.stream().map((message) -> LogEntry.of(message.getId(), message.getBody())).toList();
	}

	@Override
	public String id(LogEntry entry) {
		return entry.position().entryId();
	}

	@Override
	public Mono<Void> done(LogEntry entry) {
		return this.group.done(id(entry));
	}

	@Override
	public Mono<Void> bury(LogEntry entry, Throwable error) {
		return this.group.bury(id(entry), error);
	}

	@Override
	public Mono<Void> renew(Collection<String> ids) {
		return this.group.renew(ids);
	}

	@Override
	public Mono<Void> dropConsumers() {
		return this.group.dropConsumers();
	}

	/**
	 * {@code split-fanout.lua}: the entry is done when its pieces are.
	 * @param begins when each piece begins, in ms of the follow, ascending
	 */
	public Mono<Void> split(LogEntry entry, long[] begins) {
		List<String> args = new ArrayList<>(
				List.of(ConsumerGroup.NAME, id(entry), entry.type().text(), entry.post(), entry.user()));
		for (long begin : begins) {
			args.add(Long.toString(begin));
		}
		return this.data.run(SPLIT, List.of(Keys.LOG, Keys.PIECES, Keys.UNFINISHED), args.toArray(String[]::new))
			.then();
	}

	/** {@code fanout-state.lua}. */
	Mono<FanOutState> state() {
		return this.data
			.run(STATE, List.of(Keys.LOG, Keys.UNFINISHED, Keys.DEAD), ConsumerGroup.NAME, Integer.toString(NAMED))
			.map(FanOutState::of)
			.onErrorResume(ConsumerGroup::isNoGroup, (ex) -> Mono.just(FanOutState.NOT_BEGUN));
	}

	/**
	 * {@code trim-log.lua}, again while there is more than one call trims.
	 * @param age what is younger is kept
	 * @param most entries kept for their age
	 */
	public Mono<Void> trim(Duration age, int most) {
		return this.data
			.run(TRIM, List.of(Keys.LOG), ConsumerGroup.NAME, Long.toString(age.toMillis()), Integer.toString(most),
					Integer.toString(TRIM_AT_ONCE))
			.flatMap((answer) -> (Integer.parseInt(answer.get(0)) >= TRIM_AT_ONCE) ? trim(age, most) : Mono.empty());
	}

}
