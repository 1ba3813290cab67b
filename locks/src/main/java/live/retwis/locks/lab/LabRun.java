package live.retwis.locks.lab;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.lab.check.Ending;
import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.history.Event;
import live.retwis.locks.lab.history.RoundRecord;
import live.retwis.locks.lab.node.Leftovers;
import live.retwis.locks.lab.node.NodeClock;
import live.retwis.locks.lab.play.About;
import live.retwis.locks.lab.play.About.Need;
import live.retwis.locks.lab.play.LabSettings;
import live.retwis.locks.lab.play.Round;
import live.retwis.locks.lab.play.RoundListener;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.Stage;
import live.retwis.locks.lab.report.Judged;
import live.retwis.locks.lab.report.LabReport;

/**
 * Plays scenarios with engines, round after round, and tells of each. What a round breaks
 * does not reach the next scenario: that has nodes of its own. For one run.
 */
public final class LabRun {

	private final List<Judged> rounds = new ArrayList<>();

	private final List<String> skipped = new ArrayList<>();

	private final LabListener listener;

	private final LabStop stop = new LabStop();

	/**
	 * Without anything played.
	 * @param listener is told of it meanwhile
	 */
	public LabRun(LabListener listener) {
		this.listener = listener;
	}

	/**
	 * Plays all of it, on the thread that calls.
	 * @param order what
	 * @return what it showed
	 */
	public LabReport play(LabOrder order) {
		String began = Instant.now().toString();
		try (Leftovers leftovers = Leftovers.open(); LabStop.Run run = this.stop.begin(leftovers)) {
			for (Scenario scenario : order.scenarios()) {
				for (LabEngine engine : order.engines()) {
					if (!this.stop.isWanted()) {
						play(scenario, engine, order, leftovers);
					}
				}
			}
		}
		return new LabReport(began, order.settings(), this.rounds, this.skipped);
	}

	/**
	 * Ends the run, from any thread: the round under way is broken off within seconds and
	 * is not reported.
	 */
	public void stop() {
		this.stop.request();
	}

	private void play(Scenario scenario, LabEngine engine, LabOrder order, Leftovers leftovers) {
		About about = scenario.about();
		Expectation expected = about.expected().get(engine);
		if (expected == null) {
			skip(about, engine, "it says nothing about this engine");
		}
		else if (!about.playsWith(order.settings())) {
			skip(about, engine, "its schedule takes five nodes");
		}
		else if (about.needs().contains(Need.CLOCKS) && !NodeClock.isPossible()) {
			skip(about, engine, "setting clocks takes Linux and a C compiler");
		}
		else {
			// What scenarios end with is described for the default settings.
			boolean described = order.settings().equals(LabSettings.DEFAULT);
			playRounds(scenario, engine, order, described ? expected : Expectation.SHOWN, leftovers);
		}
	}

	private void skip(About about, LabEngine engine, String why) {
		String line = about.number() + " " + about.name() + ", " + engine.label() + ": skipped, " + why;
		this.skipped.add(line);
		this.listener.skipped(line);
	}

	private void playRounds(Scenario scenario, LabEngine engine, LabOrder order, Expectation expected,
			Leftovers leftovers) {
		try (Stage stage = Stage.open(scenario.about(), engine, order.settings(), leftovers)) {
			for (int number = 1; number <= order.rounds(); number++) {
				RoundRecord record = Round.play(scenario, stage, order.seed(), number, telling(expected));
				if (this.stop.isNoticed()) {
					return;
				}
				Judged judged = Judged.of(record, expected);
				add(judged);
				if (judged.ending() == Ending.BROKEN) {
					return;
				}
			}
		}
		catch (RuntimeException ex) {
			if (!this.stop.isNoticed()) {
				add(Judged.of(new RoundRecord(scenario.about().number(), engine.label(), order.seed(), 0,
						order.settings().lease().toMillis(), String.valueOf(ex), List.of()), expected));
			}
		}
	}

	private void add(Judged judged) {
		this.rounds.add(judged);
		this.listener.judged(judged);
	}

	/** Judges what there is so far of a round that takes long. */
	private RoundListener telling(Expectation expected) {
		LabListener all = this.listener;
		return new RoundListener() {

			@Override
			public void began(RoundRecord round) {
				all.began(round);
			}

			@Override
			public void happened(Event event) {
				all.happened(event);
			}

			@Override
			public void soFar(RoundRecord round) {
				all.judged(Judged.of(round, expected));
			}

		};
	}

}
