package live.retwis.lab;

import java.util.List;

import live.retwis.locks.lab.RunRequest;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.FreePlay;
import live.retwis.locks.lab.play.ScenarioDescription;

/**
 * A run in short. It names nobody: who began it is told only while it goes on.
 *
 * @param id time-ordered, 13 characters
 * @param began ms since the epoch, by the data node's clock
 * @param scenario its number
 * @param title of the scenario
 * @param engines in their order
 * @param nodes how many lock nodes
 * @param leaseMillis what clients ask for
 * @param nodeTimeoutMillis how long ours waits for a node
 * @param seed of the schedules
 * @param rounds of each engine
 * @param results one line for each engine; empty while it goes on
 */
record RunSummary(String id, long began, String scenario, String title, List<String> engines, int nodes,
		long leaseMillis, long nodeTimeoutMillis, long seed, int rounds, List<String> results) {

	RunSummary {
		engines = List.copyOf(engines);
		results = List.copyOf(results);
	}

	/** Of a run that begins; the page plays one scenario at a time. */
	static RunSummary of(String id, long began, ScenarioDescription scenarioDescription, RunRequest order) {
		return new RunSummary(id, began, scenarioDescription.number(), scenarioDescription.title(),
				order.engines().stream().map(LabEngine::label).toList(), order.settings().nodes(),
				order.settings().lease().toMillis(), order.settings().nodeTimeout().toMillis(), order.seed(),
				order.rounds(), List.of());
	}

	RunSummary with(List<String> found) {
		return new RunSummary(this.id, this.began, this.scenario, this.title, this.engines, this.nodes,
				this.leaseMillis, this.nodeTimeoutMillis, this.seed, this.rounds, found);
	}

	boolean isFree() {
		return this.scenario.equals(FreePlay.NUMBER);
	}

}
