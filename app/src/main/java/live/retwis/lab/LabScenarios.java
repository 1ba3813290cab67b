package live.retwis.lab;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import live.retwis.locks.lab.play.About;
import live.retwis.locks.lab.play.FreePlay;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.scenario.Scenarios;

/**
 * What can be played from the page: free play, and all scenarios. They are asked about
 * themselves once, at start-up: whether clocks can be set takes a compiler to tell.
 */
@LabComponent
class LabScenarios {

	private final List<About> abouts = Stream.concat(Stream.of(new FreePlay()), Scenarios.ALL.stream())
		.map(Scenario::about)
		.toList();

	/** Free play first, which people like to try, then in the order of their numbers. */
	List<About> abouts() {
		return this.abouts;
	}

	/** The one with that number or short name. */
	Optional<About> find(String name) {
		return this.abouts.stream().filter((about) -> about.isCalled(name)).findFirst();
	}

	/** What plays it; free play is played once, and made anew each time. */
	static Scenario scenario(About about) {
		return Scenarios.find(about.number()).orElseGet(FreePlay::new);
	}

}
