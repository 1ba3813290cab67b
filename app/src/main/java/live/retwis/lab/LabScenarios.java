package live.retwis.lab;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import live.retwis.locks.lab.play.FreePlay;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;
import live.retwis.locks.lab.scenario.Scenarios;

/**
 * What can be played from the page: free play, and all scenarios. They are asked about
 * themselves once, at start-up: whether clocks can be set takes a compiler to tell.
 */
@ConditionalOnLab
class LabScenarios {

	private final List<ScenarioDescription> abouts = Stream.concat(Stream.of(new FreePlay()), Scenarios.ALL.stream())
		.map(Scenario::about)
		.toList();

	/** Free play first, which people like to try, then in the order of their numbers. */
	List<ScenarioDescription> abouts() {
		return this.abouts;
	}

	/** The one with that number or short name. */
	Optional<ScenarioDescription> find(String name) {
		return this.abouts.stream().filter((scenarioDescription) -> scenarioDescription.isCalled(name)).findFirst();
	}

	/** What plays it; free play is played once, and made anew each time. */
	static Scenario scenario(ScenarioDescription scenarioDescription) {
		return Scenarios.find(scenarioDescription.number()).orElseGet(FreePlay::new);
	}

}
