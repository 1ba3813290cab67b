package live.retwis.locks.lab;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.check.RoundOutcome;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.RoundRecord;
import live.retwis.locks.lab.node.ProcessRegistry;
import live.retwis.locks.lab.node.SettableNodeClock;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.RoundListener;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;
import live.retwis.locks.lab.play.ScenarioDescription.Need;
import live.retwis.locks.lab.play.Testbed;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.locks.lab.report.SkippedScenario;
import live.retwis.locks.lab.report.SkippedScenario.Reason;

/**
 * Plays scenarios with engines, round after round, and tells of each round. Each scenario
 * has nodes of its own, so what one breaks does not reach the next. An object is good for
 * one run.
 */
public final class LabRun {

	private final List<JudgedRound> rounds = new ArrayList<>();

	private final List<SkippedScenario> skipped = new ArrayList<>();

	private final LabListener listener;

	private final RunCancellation stop = new RunCancellation();

	/**
	 * Makes a run that has played nothing yet.
	 * @param listener is told of the rounds while they are played
	 */
	public LabRun(LabListener listener) {
		this.listener = listener;
	}

	/**
	 * Plays everything, on the calling thread.
	 * @param order what to play
	 * @return what the rounds showed
	 */
	public LabReport play(RunRequest order) {
		String began = Instant.now().toString();
		try (ProcessRegistry processRegistry = ProcessRegistry.open(this.listener::started);
				RunCancellation.Run run = this.stop.begin(processRegistry)) {
			for (Scenario scenario : order.scenarios()) {
				for (LabEngine engine : order.engines()) {
					if (!this.stop.isWanted()) {
						play(scenario, engine, order, processRegistry);
					}
				}
			}
		}
		return new LabReport(began, order.settings(), this.rounds, this.skipped, List.of(), List.of());
	}

	/**
	 * Ends the run. May be called by any thread. The round under way is broken off within
	 * seconds and is not reported.
	 */
	public void stop() {
		this.stop.request();
	}

	private void play(Scenario scenario, LabEngine engine, RunRequest order, ProcessRegistry processRegistry) {
		ScenarioDescription scenarioDescription = scenario.about();
		Expectation expected = scenarioDescription.expected().get(engine);
		if (expected == null) {
			skip(scenarioDescription, engine, Reason.NO_EXPECTATION);
		}
		else if (!scenarioDescription.playsWith(order.settings())) {
			skip(scenarioDescription, engine, Reason.FIVE_NODES);
		}
		else if (scenarioDescription.needs().contains(Need.CLOCKS) && !SettableNodeClock.isPossible()) {
			skip(scenarioDescription, engine, Reason.CLOCKS);
		}
		else {
			boolean described = scenario.isDescribedFor(order.settings());
			playRounds(scenario, engine, order, described ? expected : Expectation.SHOWN, processRegistry);
		}
	}

	private void skip(ScenarioDescription scenarioDescription, LabEngine engine, Reason reason) {
		SkippedScenario one = new SkippedScenario(scenarioDescription.number(), scenarioDescription.name(),
				scenarioDescription.title(), engine.label(), reason);
		this.skipped.add(one);
		this.listener.skipped(one);
	}

	private void playRounds(Scenario scenario, LabEngine engine, RunRequest order, Expectation expected,
			ProcessRegistry processRegistry) {
		try (Testbed testbed = Testbed.open(scenario.about(), engine, order.settings(), processRegistry)) {
			for (int number = 1; number <= order.rounds(); number++) {
				RoundRecord record = RoundContext.play(scenario, testbed, order.seed(), number, telling(expected));
				if (this.stop.isNoticed()) {
					return;
				}
				JudgedRound judged = JudgedRound.of(record, expected);
				add(judged);
				if (judged.ending() == RoundOutcome.BROKEN) {
					return;
				}
			}
		}
		catch (RuntimeException ex) {
			if (!this.stop.isNoticed()) {
				add(JudgedRound.of(new RoundRecord(scenario.about().number(), engine.label(), order.seed(), 0,
						order.settings().lease().toMillis(), String.valueOf(ex), List.of()), expected));
			}
		}
	}

	private void add(JudgedRound judged) {
		this.rounds.add(judged);
		this.listener.judged(judged);
	}

	/** Judges what there is so far, while a long round is played. */
	private RoundListener telling(Expectation expected) {
		LabListener all = this.listener;
		return new RoundListener() {

			@Override
			public void began(RoundRecord round) {
				all.began(round);
			}

			@Override
			public void happened(HistoryEvent event) {
				all.happened(event);
			}

			@Override
			public void soFar(RoundRecord round) {
				all.judged(JudgedRound.of(round, expected));
			}

		};
	}

}
