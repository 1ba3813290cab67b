package live.retwis.locks.lab.scenario;

import java.util.List;
import java.util.Optional;

import live.retwis.locks.lab.play.Scenario;

/**
 * All scenarios, in the order of their numbers.
 */
public final class Scenarios {

	/** What there is. */
	public static final List<Scenario> ALL = List.of(new HeldReply());

	private Scenarios() {
	}

	/** The one with that number or short name. */
	public static Optional<Scenario> find(String name) {
		return ALL.stream().filter((scenario) -> scenario.about().isCalled(name)).findFirst();
	}

}
