package live.retwis.xray;

import java.util.Comparator;
import java.util.List;
import java.util.Set;

import live.retwis.background.BackgroundQueue;
import live.retwis.fanout.FanOutTask;
import live.retwis.fanout.ProcessedEntryListener;
import live.retwis.log.CommitLogListener;
import live.retwis.log.LogEntry;
import live.retwis.logging.InstanceName;
import live.retwis.redis.DataClock;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

/**
 * {@code way:{post}}: which instance heard of a post, and which worked on it, and when.
 * Redis would forget who did a task as soon as it is done. Each instance notes what it
 * does, as long as it has X-ray.
 */
@ConditionalOnXray
class PostJourneyRecorder extends BackgroundQueue<PostJourneyRecorder.Mark>
		implements CommitLogListener, ProcessedEntryListener {

	private static final LuaScript NOTE = LuaScript.named("note-way");

	/** How long a trail is kept after its last mark. */
	private static final int KEPT_SECONDS = 600;

	private static final int CONCURRENCY = 4;

	private final DataNodeCommands data;

	private final ReactiveStringRedisTemplate redis;

	private final DataClock clock;

	private final String instance;

	PostJourneyRecorder(DataNodeCommands data, ReactiveStringRedisTemplate redis, DataClock clock,
			InstanceName instance) {
		super(CONCURRENCY);
		this.data = data;
		this.redis = redis;
		this.clock = clock;
		this.instance = instance.toString();
	}

	@Override
	public Set<LogEntry.Type> types() {
		return Set.of(LogEntry.Type.POST);
	}

	/** This instance has heard of an entry, and tells its streams. */
	@Override
	public void accept(LogEntry entry) {
		if (entry.type() == LogEntry.Type.POST) {
			note(entry.post(), Step.HEARD, 0);
		}
	}

	@Override
	public Mono<Void> processed(LogEntry entry) {
		return Mono.fromRunnable(() -> note(entry.post(), Step.PROCESSED, 0));
	}

	@Override
	public Mono<Void> processed(FanOutTask task) {
		return Mono.fromRunnable(() -> note(task.post(), Step.TASK, task.from()));
	}

	private void note(String post, Step step, long from) {
		this.clock.knownMicros()
			.ifPresent((micros) -> offer(new Mark(post, step, this.instance, from, Math.floorDiv(micros, 1_000))));
	}

	@Override
	protected Mono<Void> work(Mark mark) {
		return this.data
			.run(NOTE, List.of(Keys.way(mark.post())), mark.field(), Long.toString(mark.millis()),
					Integer.toString(KEPT_SECONDS))
			.then();
	}

	/** The trail of a post, in the order of its steps. */
	Mono<List<Mark>> of(String post) {
		return this.redis.<String, String>opsForHash()
			.entries(Keys.way(post))
			.map((field) -> Mark.of(post, field.getKey(), Long.parseLong(field.getValue())))
			.sort(Comparator.comparing(Mark::step).thenComparing(Mark::from).thenComparing(Mark::millis))
			.collectList();
	}

	/** What an instance does with a post. */
	enum Step {

		/** It heard of the entry. */
		HEARD,

		/** It updated the lists for the entry, or split it into tasks. */
		PROCESSED,

		/** It did a task: the timelines of some followers. */
		TASK

	}

	/**
	 * Says that an instance has done a step.
	 *
	 * @param post id of the post
	 * @param step what it did
	 * @param instance its name
	 * @param from begin of the task's range of follow times, in ms; 0 for other steps
	 * @param millis time in ms, by the clock of the data node
	 */
	record Mark(String post, Step step, String instance, long from, long millis) {

		/** Reads a field of the hash. */
		static Mark of(String post, String field, long millis) {
			String[] parts = field.split(":", 3);
			return new Mark(post, Step.valueOf(parts[0]), parts[2], Long.parseLong(parts[1]), millis);
		}

		/** The name of its field in the hash. */
		String field() {
			return this.step + ":" + this.from + ":" + this.instance;
		}

	}

}
