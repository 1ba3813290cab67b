package live.retwis.locks.lab.scenario;

import java.util.stream.Stream;

import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The texts of the scenarios.
 */
class ScenariosTests {

	private static Stream<ScenarioDescription> abouts() {
		return Scenarios.ALL.stream().map(Scenario::about);
	}

	@Test
	void numbersAndNamesAreUnique() {
		assertThat(abouts().flatMap((about) -> Stream.of(about.number(), about.name()))).doesNotHaveDuplicates();
	}

	@Test
	void eachTextMentionsTheSourcesThatItLists() {
		assertThat(abouts()).allSatisfy((about) -> assertThat(about.literature())
			.allSatisfy((source) -> assertThat(about.text()).contains(words(source))));
	}

	/** The words by which a text refers to the source. */
	private static String words(FurtherReading source) {
		return switch (source) {
			case REDIS -> "description of Redlock";
			case REDISSON_4456 -> "issue of Redisson's";
			default -> source.who().split(" \\(")[0];
		};
	}

	@Test
	void eachSourceIsListedByAScenario() {
		assertThat(abouts().flatMap((about) -> about.literature().stream())).contains(FurtherReading.values());
	}

}
