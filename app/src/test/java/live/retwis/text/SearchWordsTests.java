package live.retwis.text;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The words by which texts are found. */
class SearchWordsTests {

	@Test
	void wordsAreRunsOfLettersAndDigitsEachOnceInLowerCase() {
		assertThat(SearchWords.of("Good coffee, GOOD #Morning @snake_case 2x!")).containsExactly("good", "coffee",
				"morning", "snake_case", "2x");
	}

	@Test
	void charactersThatLookTheSameAreTheSame() {
		assertThat(SearchWords.of("ﬁsh Ｔｏｋｙｏ cafe\u0301")).containsExactly("fish", "tokyo", "café");
	}

	@Test
	void chineseAndJapaneseWordsArePairsOfCharacters() {
		assertThat(SearchWords.of("天气好abc。猫 コーヒー")).containsExactly("天气", "气好", "abc", "猫", "コー", "ーヒ", "ヒー");
	}

	@Test
	void otherCharactersAreNoWords() {
		assertThat(SearchWords.of(" *?[a-z]\\ 🙂 ~ \u0000 ")).containsExactly("a", "z");
		assertThat(SearchWords.of("👩‍👩‍👧 %_%").stream().filter(SearchWords::isTelling)).isEmpty();
		assertThat(SearchWords.of("")).isEmpty();
	}

	@Test
	void aSingleLetterTellsNothingButASingleIdeographDoes() {
		assertThat(SearchWords.isTelling("a")).isFalse();
		assertThat(SearchWords.isTelling("ab")).isTrue();
		assertThat(SearchWords.isTelling("猫")).isTrue();
	}

	@Test
	void aLongWordIsCut() {
		assertThat(SearchWords.of("x".repeat(10_000))).containsExactly("x".repeat(SearchWords.LONGEST));
	}

}
