package live.retwis.fanout;

import java.util.List;

import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import reactor.core.publisher.Mono;

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

	private static final LuaScript REQUEUE = LuaScript.named("requeue-task");

	private final ReactiveStringRedisTemplate redis;

	FanOutTaskQueue(ReactiveStringRedisTemplate redis) {
		super(new ConsumerGroup(redis, BATCH, Keys.FAN_OUT_TASKS, Keys.UNFINISHED),
				(entry) -> FanOutTask.of(entry.getId().getValue(), entry.getValue()));
		this.redis = redis;
	}

	@Override
	public String id(FanOutTask task) {
		return task.id();
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
