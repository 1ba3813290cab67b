package live.retwis.lab;

import java.util.List;

import live.retwis.locks.lab.LabOrder;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.About;
import live.retwis.locks.lab.play.FreePlay;

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
record RunHead(String id, long began, String scenario, String title, List<String> engines, int nodes, long leaseMillis,
		long nodeTimeoutMillis, long seed, int rounds, List<String> results) {

	RunHead {
		engines = List.copyOf(engines);
		results = List.copyOf(results);
	}

	/** Of a run that begins; the page plays one scenario at a time. */
	static RunHead of(String id, long began, About about, LabOrder order) {
		return new RunHead(id, began, about.number(), about.title(),
				order.engines().stream().map(LabEngine::label).toList(), order.settings().nodes(),
				order.settings().lease().toMillis(), order.settings().nodeTimeout().toMillis(), order.seed(),
				order.rounds(), List.of());
	}

	RunHead with(List<String> found) {
		return new RunHead(this.id, this.began, this.scenario, this.title, this.engines, this.nodes, this.leaseMillis,
				this.nodeTimeoutMillis, this.seed, this.rounds, found);
	}

	boolean isFree() {
		return this.scenario.equals(FreePlay.NUMBER);
	}

}
