package live.retwis.fanout;

import java.util.List;
import java.util.Map;

import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Range;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/** Log entries and tasks that no worker could process. They were put aside. */
@Component
public class DeadLetters {

	private static final LuaScript RETRY = LuaScript.named("retry-dead-letter");

	private final ReactiveStringRedisTemplate redis;

	DeadLetters(ReactiveStringRedisTemplate redis) {
		this.redis = redis;
	}

	/** XRANGE: all of them, about 1,000 at most. */
	public Flux<DeadLetter> all() {
		return this.redis.<String, String>opsForStream()
			.range(Keys.DEAD_LETTERS, Range.unbounded())
			.map((letter) -> DeadLetter.of(letter.getId().getValue(), letter.getValue()));
	}

	/**
	 * {@code retry-dead-letter.lua}: gives an entry back to the workers.
	 * @param id the id of the letter
	 * @return whether it was given back; false when the letter is gone, or the log no
	 * longer has its entry
	 */
	public Mono<Boolean> retry(String id) {
		return RETRY
			.run(this.redis,
					List.of(Keys.DEAD_LETTERS, Keys.LOG, Keys.FAN_OUT_TASKS, Keys.UNFINISHED, Keys.POSTPONED,
							Keys.POSTPONED_BY_COMMIT),
					id, ConsumerGroup.NAME, ConsumerGroup.NOBODY, Long.toString(ConsumerGroup.ABANDONED.toMillis()))
			.map((answer) -> answer.get(0).equals("1"));
	}

	/**
	 * An entry that was put aside.
	 *
	 * @param id id in the dead-letter stream
	 * @param entry id of the log entry, also of a task's entry
	 * @param error why it could not be processed
	 * @param isTask whether it is a task of a log entry, or such an entry that was
	 * postponed
	 * @param hasTask whether the letter has what the task asked for; if not,
	 * {@code entry} is the id of the task
	 */
	public record DeadLetter(String id, String entry, String error, boolean isTask, boolean hasTask) {

		private static DeadLetter of(String id, Map<String, String> fields) {
			// A task has the log entry in a field of the same name, which comes later.
			return new DeadLetter(id, fields.getOrDefault("entry", ""), fields.getOrDefault("error", ""),
					!Keys.LOG.equals(fields.get("stream")), fields.containsKey("type"));
		}

	}

}
