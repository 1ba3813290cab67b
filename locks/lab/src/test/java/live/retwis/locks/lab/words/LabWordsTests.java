package live.retwis.locks.lab.words;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.FreePlay;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.scenario.ScenarioTheme;
import live.retwis.locks.lab.scenario.Scenarios;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The lab's texts are whole in every language.
 */
class LabWordsTests {

	private static final Pattern PLACE = Pattern.compile("\\{(\\d)");

	private static final LabWords CHINESE = LabWords.of(Locale.SIMPLIFIED_CHINESE);

	private static Set<String> withoutScenarios(LabWords words) {
		return words.keys()
			.stream()
			.filter((key) -> !key.startsWith("scenario."))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static Set<String> places(String text) {
		return PLACE.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
	}

	@Test
	void eachLanguageHasTheSameKeysWithTheSameValues() {
		assertThat(LabWords.ALL).contains(CHINESE).allSatisfy((words) -> {
			assertThat(withoutScenarios(words)).isEqualTo(withoutScenarios(LabWords.ENGLISH));
			assertThat(withoutScenarios(words))
				.allSatisfy((key) -> assertThat(places(words.find(key).orElseThrow())).as("%s in %s", key, words.tag())
					.isEqualTo(places(LabWords.ENGLISH.find(key).orElseThrow())));
		});
		assertThat(withoutScenarios(CHINESE))
			.allSatisfy((key) -> assertThat(CHINESE.find(key).orElseThrow()).as(key).doesNotContain("'"));
	}

	@Test
	void everyScenarioHasATitleAndATextInChinese() {
		assertThat(Stream.concat(Stream.of(new FreePlay(false)), Scenarios.ALL.stream()).map(Scenario::about))
			.allSatisfy((about) -> {
				assertThat(about.title(CHINESE)).as(about.number()).containsPattern("\\p{IsHan}");
				assertThat(about.text(CHINESE)).as(about.number()).containsPattern("\\p{IsHan}");
				assertThat(about.title(LabWords.ENGLISH)).isEqualTo(about.title());
			});
	}

	@Test
	void everyScenarioHasOneTheme() {
		assertThat(Stream.of(ScenarioTheme.values()).flatMap((theme) -> theme.numbers().stream()))
			.containsExactlyInAnyOrderElementsOf(Scenarios.ALL.stream().map((one) -> one.about().number()).toList());
	}

	@Test
	void everyEngineHasANameForPeople() {
		assertThat(LabEngine.values())
			.allSatisfy((engine) -> assertThat(LabWords.ENGLISH.engine(engine.label())).isNotEqualTo(engine.label()));
		assertThat(LabWords.ENGLISH.engine("raw")).isEqualTo("Redisson");
		assertThat(LabWords.of(Locale.forLanguageTag("qaa"))).as("without a file").isSameAs(LabWords.ENGLISH);
	}

}
