package live.retwis.lab;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import live.retwis.i18n.Localized;
import live.retwis.locks.lab.RunRequest;
import live.retwis.locks.lab.design.CounterexampleScenario;
import live.retwis.locks.lab.design.RedlockDesign;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.FreePlay;
import live.retwis.locks.lab.play.ScenarioDescription;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.locks.lab.report.ScenarioSummary;
import live.retwis.locks.lab.report.VerdictSentences;
import live.retwis.locks.lab.words.LabWords;

/**
 * The summary of a run. It has no user names: the name of the user who began the run is
 * shown only during the run.
 *
 * @param id time-ordered, 13 characters
 * @param began ms since the epoch, by the data node's clock
 * @param scenario number of the scenario
 * @param title title of the scenario
 * @param engines names of the engines, in their order
 * @param nodes number of lock nodes
 * @param leaseMillis lease time that clients ask for
 * @param nodeTimeoutMillis how long our engines wait for a node
 * @param seed seed of the schedules
 * @param rounds number of rounds for each engine
 * @param results one line for each engine, with ids; empty during the run
 * @param sentences one line for each engine, by the tag of the language; empty during the
 * run and for runs that an earlier release has stored
 * @param design the design that was played, as {@link LockDesignForm#query} writes it;
 * empty for a scenario
 */
record RunSummary(String id, long began, String scenario, String title, List<String> engines, int nodes,
		long leaseMillis, long nodeTimeoutMillis, long seed, int rounds, List<String> results,
		Map<String, List<String>> sentences, String design) {

	RunSummary {
		engines = List.copyOf(engines);
		results = List.copyOf(results);
		sentences = (sentences != null) ? Map.copyOf(sentences) : Map.of();
		design = (design != null) ? design : "";
	}

	/** The summary of a run that begins. A run from the page has one scenario. */
	static RunSummary of(String id, long began, ScenarioDescription scenarioDescription, RunRequest order) {
		return new RunSummary(id, began, scenarioDescription.number(), scenarioDescription.title(),
				order.engines().stream().map(LabEngine::label).toList(), order.settings().nodes(),
				order.settings().lease().toMillis(), order.settings().nodeTimeout().toMillis(), order.seed(),
				order.rounds(), List.of(), Map.of(), "");
	}

	/** The summary of a run that plays what was found for this design. */
	RunSummary of(RedlockDesign played) {
		return new RunSummary(this.id, this.began, this.scenario, this.title, this.engines, this.nodes,
				this.leaseMillis, this.nodeTimeoutMillis, this.seed, this.rounds, this.results, this.sentences,
				LockDesignForm.query(played));
	}

	/** The summary of the run when it is over. */
	RunSummary ended(LabReport report) {
		return new RunSummary(this.id, this.began, this.scenario, this.title, this.engines, this.nodes,
				this.leaseMillis, this.nodeTimeoutMillis, this.seed, this.rounds,
				report.summaries().stream().map(RunSummary::line).toList(),
				LabWords.inEach((words) -> new VerdictSentences(words).summaries(report.rounds())), this.design);
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

	/** One line for each engine, for people. */
	List<Localized> lines() {
		return IntStream.range(0, this.results.size())
			.mapToObj((i) -> LocalizedLabWords
				.text((words) -> this.sentences.getOrDefault(words.tag(), this.results).get(i)))
			.toList();
	}

	/** The page that explains what was played. */
	String path() {
		return isOfDesign() ? LockDesignHandler.PATH + (this.design.isEmpty() ? "" : "?" + this.design)
				: LabHandler.PATH + "/scenarios/" + this.scenario;
	}

	/** Whether a design was played, and no scenario. */
	boolean isOfDesign() {
		return this.scenario.equals(CounterexampleScenario.NUMBER);
	}

	boolean isFree() {
		return this.scenario.equals(FreePlay.NUMBER);
	}

}
