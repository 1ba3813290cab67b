package live.retwis.lab;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import live.retwis.i18n.Localized;
import live.retwis.locks.lab.play.FreePlay;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;
import live.retwis.locks.lab.scenario.ScenarioTheme;
import live.retwis.locks.lab.scenario.Scenarios;

/**
 * The scenarios that can be played from the page: free play and all scenarios of the lab.
 * They are described once at the start, because one description has to run a compiler, to
 * find out whether clocks can be changed.
 */
@ConditionalOnLab
class LabScenarios {

	private final List<ScenarioDescription> descriptions = Stream
		.concat(Stream.of(new FreePlay(false)), Scenarios.ALL.stream())
		.map(Scenario::about)
		.toList();

	/**
	 * The description of a scenario.
	 * @param name number or short name
	 */
	Optional<ScenarioDescription> find(String name) {
		return this.descriptions.stream()
			.filter((scenarioDescription) -> scenarioDescription.isCalled(name))
			.findFirst();
	}

	/** All scenarios but free play, by their themes. */
	List<Themed> themes() {
		return Stream.of(ScenarioTheme.values())
			.map((theme) -> new Themed(LocalizedLabWords.text(theme::name),
					theme.numbers().stream().map(this::find).flatMap(Optional::stream).map(Named::of).toList()))
			.toList();
	}

	/**
	 * The scenario of a description. Free play needs a new object for each run.
	 * @param byHand whether clients of free play do only what they are told
	 */
	static Scenario scenario(ScenarioDescription scenarioDescription, boolean byHand) {
		return Scenarios.find(scenarioDescription.number()).orElseGet(() -> new FreePlay(byHand));
	}

	/** A theme with its scenarios. */
	record Themed(Localized name, List<Named> scenarios) {
	}

	/** A scenario as lists show it. */
	record Named(String number, String name, Localized title) {

		static Named of(ScenarioDescription scenario) {
			return new Named(scenario.number(), scenario.name(), LocalizedLabWords.title(scenario));
		}

	}

}
