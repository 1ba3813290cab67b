package live.retwis.lab;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import live.retwis.locks.lab.play.About;
import live.retwis.locks.lab.play.FreePlay;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.scenario.Scenarios;

/**
 * What can be played from the page: all scenarios, and free play.
 */
final class LabScenarios {

	private LabScenarios() {
	}

	/** In the order of their numbers, free play first: it is what people try. */
	static List<About> abouts() {
		return Stream.concat(Stream.of(new FreePlay()), Scenarios.ALL.stream()).map(Scenario::about).toList();
	}

	/** The one with that number or short name; free play is made anew for each run. */
	static Optional<Scenario> find(String name) {
		FreePlay free = new FreePlay();
		return free.about().isCalled(name) ? Optional.of(free) : Scenarios.find(name);
	}

}
