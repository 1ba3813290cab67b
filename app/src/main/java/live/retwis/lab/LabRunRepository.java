package live.retwis.lab;

import java.util.List;
import java.util.stream.Collectors;

import live.retwis.locks.lab.history.HistoryJson;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.locks.lab.report.ScenarioSummary;
import live.retwis.redis.DataNode;
import live.retwis.redis.Ids;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.stereotype.Repository;

/**
 * Stores the last runs of the lab. {@code {lab}:runs} has the ids of the runs, scored by
 * the time when they began. The hash {@code {lab}:run:<id>} has the summary of a run
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
	public static final int MOST_BYTES = RunEncoding.MOST;

	private static final LuaScript KEEP = LuaScript.named("keep-lab-run");

	private static final String HEAD = "head";

	private static final String REPORT = "report";

	private final DataNode data;

	LabRunRepository(DataNode data) {
		this.data = data;
	}

	/**
	 * {@code keep-lab-run.lua}: stores a run, and removes the oldest if there are more
	 * than 100.
	 */
	Mono<RunSummary> save(RunSummary head, LabReport report) {
		return Mono.fromCallable(() -> RunEncoding.pack(RunEncoding.json(report)))
			.subscribeOn(Schedulers.boundedElastic())
			.flatMap((packed) -> {
				RunSummary ended = head.with(report.summaries().stream().map(LabRunRepository::line).toList());
				return this.data
					.run(KEEP, List.of(Keys.LAB_RUNS, Keys.LAB_RUN + head.id()), head.id(), Long.toString(head.began()),
							Integer.toString(MOST), Keys.LAB_RUN, HistoryJson.line(ended), packed)
					.thenReturn(ended);
			});
	}

	private static String line(ScenarioSummary summary) {
		return summary.engine() + ": "
				+ summary.endings()
					.entrySet()
					.stream()
					.map((ending) -> ending.getValue() + " " + ending.getKey())
					.collect(Collectors.joining(", "))
				+ " (" + String.join("; ", summary.verdicts().keySet()) + ")";
	}

	/**
	 * ZREVRANGE, then HGET of each run in one round trip: the summaries, newest first.
	 */
	Flux<RunSummary> newest() {
		return this.data.call((c) -> c.zrevrange(Keys.LAB_RUNS, 0, MOST - 1))
			.flatMapMany(Flux::fromIterable)
			.flatMapSequential((id) -> this.data.call((c) -> c.hget(Keys.LAB_RUN + id, HEAD)), MOST)
			.map((head) -> HistoryJson.read(head, RunSummary.class));
	}

	/** HGET: the summary of a run; empty if it is not stored. */
	Mono<RunSummary> head(String id) {
		return field(id, HEAD).map((head) -> HistoryJson.read(head, RunSummary.class));
	}

	/** HGET: the JSON of a run's report; empty if it is not stored. */
	Mono<String> json(String id) {
		return field(id, REPORT).publishOn(Schedulers.boundedElastic()).map(RunEncoding::unpack);
	}

	/** HGET: a run's report; empty if it is not stored. */
	Mono<LabReport> report(String id) {
		return json(id).map((json) -> HistoryJson.read(json, LabReport.class));
	}

	private Mono<String> field(String id, String name) {
		return Ids.isValid(id) ? this.data.call((c) -> c.hget(Keys.LAB_RUN + id, name)) : Mono.empty();
	}

}
