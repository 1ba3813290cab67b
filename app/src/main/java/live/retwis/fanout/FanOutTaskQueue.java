package live.retwis.fanout;

import java.util.List;

import live.retwis.log.LogEntry;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Range;
import org.springframework.data.redis.connection.Limit;
import org.springframework.data.redis.connection.stream.MapRecord;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * {@code {live}:fanout}: the tasks of entries that were split because they are much work.
 * Finished tasks are removed, so the stream holds unfinished tasks only.
 */
@Repository
public class FanOutTaskQueue extends StreamQueue<FanOutTask> {

	/**
	 * Tasks taken at once. It is a low number because each task is much work, and a task
	 * taken by one instance is not available to the others.
	 */
	private static final int BATCH = 2;

	/** Tasks that one XRANGE reads. */
	private static final int BATCH_OF_ALL = 1000;

	private static final LuaScript REQUEUE = LuaScript.named("requeue-task");

	private static final LuaScript FINISH = LuaScript.named("finish-task");

	private final ReactiveStringRedisTemplate redis;

	FanOutTaskQueue(ReactiveStringRedisTemplate redis) {
		super(new ConsumerGroup(redis, BATCH, Keys.FAN_OUT_TASKS, Keys.UNFINISHED),
				(entry) -> FanOutTask.of(entry.getId().getValue(), entry.getValue()));
		this.redis = redis;
	}

	/**
	 * XRANGE in batches: the entries of all unfinished tasks, as far as the tasks
	 * describe them.
	 */
	Flux<LogEntry> entries() {
		return batch(Range.unbounded())
			.expand((tasks) -> (tasks.size() < BATCH_OF_ALL) ? Mono.empty()
					: batch(Range
						.rightUnbounded(Range.Bound.exclusive(tasks.get(tasks.size() - 1).getId().getValue()))))
			.concatMapIterable((tasks) -> tasks)
			.map((task) -> LogEntry.of(task.getValue().getOrDefault("entry", "0-0"), task.getValue()));
	}

	private Mono<List<MapRecord<String, String, String>>> batch(Range<String> ids) {
		return this.redis.<String, String>opsForStream()
			.range(Keys.FAN_OUT_TASKS, ids, Limit.limit().count(BATCH_OF_ALL))
			.collectList();
	}

	@Override
	public String id(FanOutTask task) {
		return task.id();
	}

	/** {@code finish-task.lua}: removes a finished task. */
	@Override
	public Mono<Void> done(FanOutTask task) {
		return FINISH.run(this.redis, List.of(Keys.FAN_OUT_TASKS, Keys.UNFINISHED), ConsumerGroup.NAME, task.id())
			.then();
	}

	/**
	 * {@code requeue-task.lua}: puts a task that is partly done behind the tasks that
	 * wait.
	 */
	Mono<Void> requeue(FanOutTask task) {
		return REQUEUE.run(this.redis, List.of(Keys.FAN_OUT_TASKS, Keys.UNFINISHED), ConsumerGroup.NAME, task.id())
			.then();
	}

}
