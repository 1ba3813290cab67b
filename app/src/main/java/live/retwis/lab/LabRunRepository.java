package live.retwis.lab;

import java.util.List;

import live.retwis.locks.lab.history.HistoryJson;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.TimeSortedIdGenerator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.data.domain.Range;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Stores the last runs of the lab. {@code {lab}:runs} has the ids of the runs, scored by
 * the time in the id. The hash {@code {lab}:run:<id>} has the summary of a run
 * ({@code head}) and its report ({@code report}). Every instance shows the runs of all
 * instances.
 */
@Repository
public class LabRunRepository {

	/** The most runs that are stored. */
	public static final int MOST = 100;

	/**
	 * The most bytes of a stored report. A report is packed, and so smaller than its
	 * JSON.
	 */
	public static final int MOST_BYTES = StoredRunCodec.MOST;

	private static final LuaScript KEEP = LuaScript.named("keep-lab-run");

	private static final String HEAD = "head";

	private static final String REPORT = "report";

	private final ReactiveStringRedisTemplate redis;

	LabRunRepository(ReactiveStringRedisTemplate redis) {
		this.redis = redis;
	}

	/**
	 * {@code keep-lab-run.lua}: stores a run, and removes the oldest if there are more
	 * than 100. Runs are in the order of their ids, even if the clock is set back.
	 */
	Mono<RunSummary> save(RunSummary head, LabReport report) {
		return Mono.fromCallable(() -> StoredRunCodec.pack(StoredRunCodec.json(report)))
			.subscribeOn(Schedulers.boundedElastic())
			.flatMap((packed) -> {
				RunSummary ended = head.ended(report);
				return KEEP
					.run(this.redis, List.of(Keys.LAB_RUNS, Keys.LAB_RUN + head.id()), head.id(),
							Long.toString(TimeSortedIdGenerator.millisOf(head.id())), Integer.toString(MOST),
							Keys.LAB_RUN, HistoryJson.line(ended), packed)
					.thenReturn(ended);
			});
	}

	/**
	 * ZREVRANGE, then HMGET of each run in one round trip: the summaries, newest first.
	 */
	Flux<RunSummary> newest() {
		return this.redis.opsForZSet()
			.reverseRange(Keys.LAB_RUNS, Range.closed(0L, MOST - 1L))
			.collectList()
			.flatMapIterable((ids) -> ids)
			.flatMapSequential((id) -> this.redis.<String, String>opsForHash().get(Keys.LAB_RUN + id, HEAD), MOST)
			.map((head) -> HistoryJson.read(head, RunSummary.class));
	}

	/** HMGET: the summary of a run; empty if it is not stored. */
	Mono<RunSummary> head(String id) {
		return field(id, HEAD).map((head) -> HistoryJson.read(head, RunSummary.class));
	}

	/** HMGET: the JSON of a run's report; empty if it is not stored. */
	Mono<String> json(String id) {
		return field(id, REPORT).publishOn(Schedulers.boundedElastic()).map(StoredRunCodec::unpack);
	}

	/** HMGET: a run's report; empty if it is not stored. */
	Mono<LabReport> report(String id) {
		return json(id).map((json) -> HistoryJson.read(json, LabReport.class));
	}

	private Mono<String> field(String id, String name) {
		return TimeSortedIdGenerator.isValid(id) ? this.redis.<String, String>opsForHash().get(Keys.LAB_RUN + id, name)
				: Mono.empty();
	}

}
