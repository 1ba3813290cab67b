package live.retwis.locks.lab;

import java.util.List;

import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.LabSettings;
import live.retwis.locks.lab.play.Scenario;

/**
 * What a run is to play.
 *
 * @param scenarios in their order
 * @param engines in their order
 * @param settings the same for all scenarios
 * @param seed of the schedules of faults
 * @param rounds how often each scenario is played with each engine
 */
public record RunRequest(List<Scenario> scenarios, List<LabEngine> engines, LabSettings settings, long seed,
		int rounds) {

	public RunRequest {
		scenarios = List.copyOf(scenarios);
		engines = List.copyOf(engines);
	}

}
