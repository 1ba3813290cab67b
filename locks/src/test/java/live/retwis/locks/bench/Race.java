package live.retwis.locks.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Contestants that take turns, each round in another order, so that whatever else the
 * machine does meets each of them.
 */
final class Race {

	private final FiveServers servers;

	private final Rounds rounds = new Rounds();

	private final List<Contestant> contestants;

	private final Map<Load, Map<String, List<Figures>>> results = new LinkedHashMap<>();

	Race(FiveServers servers, List<Contestant> contestants) {
		this.servers = servers;
		this.contestants = new ArrayList<>(contestants);
	}

	/** Few callers first: in a cold program many exceed the node time-out. */
	void warmUp(List<Load> loads, Duration time) throws InterruptedException {
		for (Load load : loads) {
			for (Contestant contestant : this.contestants) {
				this.rounds.measure(load, contestant, time);
			}
		}
		this.rounds.forget();
	}

	void round(List<Load> loads, Duration time) throws InterruptedException {
		for (Load load : loads) {
			Collections.rotate(this.contestants, 1);
			for (Contestant contestant : this.contestants) {
				this.servers.empty();
				results(load, contestant.name()).add(this.rounds.measure(load, contestant, time));
			}
		}
		Collections.rotate(this.contestants, 1);
	}

	private List<Figures> results(Load load, String contestant) {
		return this.results.computeIfAbsent(load, (key) -> new LinkedHashMap<>())
			.computeIfAbsent(contestant, (key) -> new ArrayList<>());
	}

	Beside beside(Load load, String contestant, String other) {
		return new Beside(results(load, contestant), results(load, other));
	}

	void report(Report report) {
		this.results.forEach((load, figures) -> figures
			.forEach((contestant, rounds) -> report.add(load.toString(), contestant, rounds)));
		report.addRepeated(this.rounds.repeated());
	}

}
