package live.retwis.locks.lab;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import live.retwis.locks.lab.check.Ending;
import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.history.RoundRecord;
import live.retwis.locks.lab.node.Leftovers;
import live.retwis.locks.lab.node.NodeClock;
import live.retwis.locks.lab.play.About;
import live.retwis.locks.lab.play.About.Need;
import live.retwis.locks.lab.play.Round;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.Stage;
import live.retwis.locks.lab.report.Judged;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.locks.lab.report.Markup;

/**
 * Plays scenarios with engines, round after round, and tells of each. What a round breaks
 * does not reach the next scenario: that has nodes of its own.
 */
public final class LabRun {

	private final List<Judged> rounds = new ArrayList<>();

	private final List<String> skipped = new ArrayList<>();

	private final Consumer<String> progress;

	/**
	 * Without anything played.
	 * @param progress is told a line for each round
	 */
	public LabRun(Consumer<String> progress) {
		this.progress = progress;
	}

	/**
	 * Plays all of it.
	 * @param scenarios what
	 * @param engines with which locks
	 * @param seed of the schedules
	 * @param count how many rounds of each
	 * @return what it showed
	 */
	public LabReport play(List<Scenario> scenarios, List<LabEngine> engines, long seed, int count) {
		String began = Instant.now().toString();
		try (Leftovers leftovers = Leftovers.open(); LabStop stop = LabStop.of(Thread.currentThread(), leftovers)) {
			for (Scenario scenario : scenarios) {
				for (LabEngine engine : engines) {
					if (!stop.isWanted()) {
						play(scenario, engine, seed, count, leftovers, stop);
					}
				}
			}
		}
		return new LabReport(began, Stage.NODES, this.rounds, this.skipped);
	}

	private void play(Scenario scenario, LabEngine engine, long seed, int count, Leftovers leftovers, LabStop stop) {
		About about = scenario.about();
		Expectation expected = about.expected().get(engine);
		if (expected == null) {
			skip(about, engine, "it says nothing about this engine");
		}
		else if (about.needs().contains(Need.CLOCKS) && !NodeClock.isPossible()) {
			skip(about, engine, "setting clocks takes Linux and a C compiler");
		}
		else {
			playRounds(scenario, engine, seed, count, leftovers, expected, stop);
		}
	}

	private void skip(About about, LabEngine engine, String why) {
		String line = about.number() + " " + about.name() + ", " + engine.label() + ": skipped, " + why;
		this.skipped.add(line);
		this.progress.accept(line);
	}

	private void playRounds(Scenario scenario, LabEngine engine, long seed, int count, Leftovers leftovers,
			Expectation expected, LabStop stop) {
		try (Stage stage = Stage.open(scenario.about(), engine, leftovers)) {
			for (int number = 1; number <= count && !stop.isWanted(); number++) {
				long start = System.nanoTime();
				Judged judged = Judged.of(Round.play(scenario, stage, seed, number), expected);
				add(scenario.about(), judged, Duration.ofNanos(System.nanoTime() - start));
				if (judged.ending() == Ending.BROKEN) {
					return;
				}
			}
		}
		catch (RuntimeException ex) {
			RoundRecord broken = new RoundRecord(scenario.about().number(), engine.label(), seed, 0,
					Stage.LEASE.toMillis(), String.valueOf(ex), List.of());
			add(scenario.about(), Judged.of(broken, expected), Duration.ZERO);
		}
	}

	private void add(About about, Judged judged, Duration took) {
		this.rounds.add(judged);
		this.progress.accept("%s %s, %s, round %d, %.1f s: %s".formatted(about.number(), about.name(),
				judged.record().engine(), judged.record().round(), took.toMillis() / 1000.0, Markup.result(judged)));
	}

}
