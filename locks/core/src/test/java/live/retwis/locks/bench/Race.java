package live.retwis.locks.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Contestants take turns, in another order in each round. So other work on the machine
 * affects all of them.
 */
final class Race {

	private final FiveServers servers;

	private final LockRounds rounds = new LockRounds();

	private final List<LockContestant> contestants;

	private final Map<LockLoad, Map<String, List<LockFigures>>> results = new LinkedHashMap<>();

	Race(FiveServers servers, List<LockContestant> contestants) {
		this.servers = servers;
		this.contestants = new ArrayList<>(contestants);
	}

	/**
	 * Begins with few callers, because in a JVM that has just started many callers would
	 * exceed the node time-out.
	 */
	void warmUp(List<LockLoad> loads, Duration time) throws InterruptedException {
		for (LockLoad load : loads) {
			for (LockContestant contestant : this.contestants) {
				this.rounds.measure(load, contestant, time);
			}
		}
		this.rounds.forget();
	}

	void round(List<LockLoad> loads, Duration time) throws InterruptedException {
		for (LockLoad load : loads) {
			Collections.rotate(this.contestants, 1);
			for (LockContestant contestant : this.contestants) {
				this.servers.empty();
				results(load, contestant.name()).add(this.rounds.measure(load, contestant, time));
			}
		}
		Collections.rotate(this.contestants, 1);
	}

	private List<LockFigures> results(LockLoad load, String contestant) {
		return this.results.computeIfAbsent(load, (key) -> new LinkedHashMap<>())
			.computeIfAbsent(contestant, (key) -> new ArrayList<>());
	}

	PairedRounds beside(LockLoad load, String contestant, String other) {
		return new PairedRounds(results(load, contestant), results(load, other));
	}

	void report(LockReport report) {
		this.results.forEach((load, figures) -> figures
			.forEach((contestant, rounds) -> report.add(load.toString(), contestant, rounds)));
		report.addRepeated(this.rounds.repeated());
	}

}
