package live.retwis.locks.lab;

import java.util.List;
import java.util.function.Consumer;

import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.locks.lab.report.RoundResultFormatter;
import live.retwis.locks.lab.report.SkippedScenario;
import live.retwis.locks.lab.scenario.Scenarios;

/**
 * Writes a line for each round.
 *
 * @param lines takes the lines
 */
record ProgressPrinter(Consumer<String> lines) implements LabListener {

	@Override
	public void judged(JudgedRound round) {
		String number = round.record().scenario();
		String name = Scenarios.find(number).map((scenario) -> scenario.about().name()).orElse("");
		List<HistoryEvent> events = round.record().events();
		double seconds = events.isEmpty() ? 0 : events.get(events.size() - 1).at() / 1e9;
		this.lines.accept("%s %s, %s, round %d, %.1f s: %s".formatted(number, name, round.record().engine(),
				round.record().round(), seconds, RoundResultFormatter.result(round)));
	}

	@Override
	public void skipped(SkippedScenario scenario) {
		this.lines.accept(scenario.line());
	}

}
