package live.retwis.text;

import java.util.Locale;
import java.util.stream.Collectors;

import live.retwis.testing.HostileText;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever somebody types becomes a text with bounded parts. */
class TextFuzzTests {

	@Provide
	Arbitrary<String> texts() {
		return HostileText.upTo(20_000);
	}

	@Provide
	Arbitrary<String> paths() {
		return HostileText.upTo(3_000);
	}

	@Provide
	Arbitrary<String> repeated() {
		return HostileText.repeated(20_000);
	}

	@Property
	void theTimeGrowsInLineWithTheText(@ForAll("repeated") String text) {
		HostileText.inTime(() -> ParsedPostText.of(text));
		HostileText.inTime(() -> SearchWords.of(TextNormalizer.of(text)));
	}

	@Property
	void aTypedTextIsNeverLongerThanItWasAndStaysAsItIs(@ForAll("texts") String typed) {
		String kept = HostileText.inTime(() -> TextNormalizer.of(typed));
		assertThat(kept).hasSizeLessThanOrEqualTo(typed.length()).doesNotContain("\r", "\u2028", "\u2029");
		assertThat(TextNormalizer.of(kept)).isEqualTo(kept);
	}

	@Property
	void thePartsOfAPostAreTheWholePost(@ForAll("texts") String text) {
		ParsedPostText post = HostileText.inTime(() -> ParsedPostText.of(text));
		assertThat(post.parts().stream().map(TextPart::text).collect(Collectors.joining())).isEqualTo(text);
		assertThat(post.tags()).hasSizeLessThanOrEqualTo(ParsedPostText.MOST).allMatch(HashtagRules::isValid);
		assertThat(post.tags()).allMatch((tag) -> HashtagRules.fold(tag).equals(tag));
		assertThat(post.mentions()).hasSizeLessThanOrEqualTo(ParsedPostText.MOST)
			.allMatch((name) -> name.matches("\\w{1,30}"));
		post.parts().stream().filter(TextPart.Url.class::isInstance).map(TextPart.Url.class::cast).forEach((url) -> {
			assertThat(url.before() + url.shown() + url.rest()).isEqualTo(url.text());
			assertThat(url.text()).matches("(?i)https?://[^\\s\"<>@/?#]+([/?#][^\\s\"<>]*)?");
		});
	}

	/**
	 * Java looks at the whole text for the end of a word, and errs after characters of
	 * two units.
	 */
	@Property
	void aShortTextIsInLowerCaseAsJavaWritesIt(@ForAll("words") String text) {
		Assume.that(text.chars().noneMatch((unit) -> Character.isSurrogate((char) unit)));
		assertThat(LowerCase.of(text)).isEqualTo(text.toLowerCase(Locale.ROOT));
	}

	@Provide
	Arbitrary<String> words() {
		return HostileText.upTo(100);
	}

	@Property
	void aTagIsFoldedOnce(@ForAll("paths") String tag) {
		String folded = HostileText.inTime(() -> HashtagRules.fold(tag));
		assertThat(HashtagRules.fold(folded)).isEqualTo(folded);
		assertThat(folded.codePoints()).allMatch(HashtagRules::isPart);
	}

	@Property
	void theWordsOfATextHaveOnlyLettersAndAreShort(@ForAll("texts") String text) {
		assertThat(HostileText.inTime(() -> SearchWords.of(text))).allSatisfy((word) -> {
			assertThat(word.codePointCount(0, word.length())).isBetween(1, SearchWords.LONGEST);
			assertThat(word.codePoints()).allMatch(HashtagRules::isPart);
		});
	}

}
