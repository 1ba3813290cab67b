package live.retwis.lab;

import java.util.List;

import live.retwis.locks.lab.RunRequest;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.FreePlay;
import live.retwis.locks.lab.play.ScenarioDescription;

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
 * @param results one line for each engine; empty during the run
 */
record RunSummary(String id, long began, String scenario, String title, List<String> engines, int nodes,
		long leaseMillis, long nodeTimeoutMillis, long seed, int rounds, List<String> results) {

	RunSummary {
		engines = List.copyOf(engines);
		results = List.copyOf(results);
	}

	/** The summary of a run that begins. A run from the page has one scenario. */
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
