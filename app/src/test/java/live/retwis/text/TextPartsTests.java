package live.retwis.text;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

/** What is a link, a mention or a tag in a text, and what only looks like one. */
class TextPartsTests {

	private static final Duration LONG = Duration.ofSeconds(5);

	/** The parts that are not plain, as they were written. */
	private static List<String> parts(String text) {
		List<TextPart> parts = ParsedPostText.of(text).parts();
		assertThat(parts.stream().map(TextPart::text)).as("nothing is lost").satisfies((all) -> {
			assertThat(String.join("", all)).isEqualTo(text);
		});
		return parts.stream().filter((part) -> !(part instanceof TextPart.Plain)).map(TextPart::text).toList();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			see https://example.org/a?b=c&d=e#f now | https://example.org/a?b=c&d=e#f
			HTTP://EXAMPLE.ORG                      | HTTP://EXAMPLE.ORG
			(https://example.org/a)                 | https://example.org/a
			(https://example.org/a_(b).)            | https://example.org/a_(b)
			[https://example.org/?a[]=1].           | https://example.org/?a[]=1
			really https://example.org/?!?          | https://example.org/
			<https://example.org>                   | https://example.org
			"https://example.org/x"                 | https://example.org/x
			https://de.example.org/Köln             | https://de.example.org/Köln
			看https://example.org/a很好              | https://example.org/a
			看https://example.org/a，很好            | https://example.org/a
			https://example.org/@alice/#tag         | https://example.org/@alice/#tag
			https://example.org👍                    | https://example.org
			@alice                                  | @alice
			(@alice)                                | @alice
			.@alice, hello                          | @alice
			@alice's                                | @alice
			谢谢@alice你好                            | @alice
			❤️@alice                                | @alice
			@@alice                                 |
			a@alice                                 |
			/@alice                                 |
			alice@example.org                       |
			#tag.                                   | #tag
			##tag                                   | #tag
			#a_1                                    | #a_1
			#今天天气真好，出门                          | #今天天气真好
			今天#天气                                 | #天气
			#नमस्ते                                   | #नमस्ते
			#cafe\u0301                             | #cafe\u0301
			#тег#тег2                               | #тег
			#123                                    |
			#_                                      |
			#                                       |
			a#tag                                   |
			&#x27;                                  |
			/#tag                                   |
			#ͺa                                     |
			#️⃣ #👍 1️⃣                              |
			javascript:alert(1)                     |
			xhttps://example.org                    |
			http://                                 |
			https://.                               |
			ftp://example.org                       |
			https://example.com@example.org/        |
			https://@example.org                    |
			httpſ://example.org                     |
			""")
	void findsLinksMentionsAndTags(String text, String part) {
		assertThat(parts(text)).isEqualTo((part != null) ? List.of(part) : List.of());
	}

	@Test
	void aTextMayHaveManyParts() {
		assertThat(parts("@a,#b https://c.org/ @a @b_2\n#B")).containsExactly("@a", "#b", "https://c.org/", "@a",
				"@b_2", "#B");
		assertThat(ParsedPostText.of("@A @a #Redis #REDIS #ＲＥＤＩＳ").tags()).containsExactly("redis");
		assertThat(ParsedPostText.of("@A @a @b").mentions()).containsExactly("a", "b");
	}

	@Test
	void aNameHasAtMostThirtyCharactersAndATagAHundred() {
		assertThat(parts("@" + "n".repeat(30))).hasSize(1);
		assertThat(parts("@" + "n".repeat(31))).isEmpty();
		assertThat(parts("#" + "t".repeat(100))).hasSize(1);
		assertThat(parts("#" + "t".repeat(101))).isEmpty();
		assertThat(parts("#" + "𠀀".repeat(100))).as("characters beyond 16 bits").hasSize(1);
		assertThat(parts("#" + "t".repeat(1000))).isEmpty();
		assertThat(parts("#" + "\uFDFA".repeat(100))).as("grows when it is folded").isEmpty();
	}

	@Test
	void onlyTheFirstTenTagsAndUsersCount() {
		String tags = IntStream.range(0, 12).mapToObj((i) -> "#t" + i).collect(Collectors.joining(" "));
		assertThat(parts(tags + " #t3 #t11")).hasSize(11).endsWith("#t9", "#t3");
		assertThat(parts(tags.replace('#', '@') + " @t3 @t11")).hasSize(11).endsWith("@t9", "@t3");
	}

	@ParameterizedTest
	@CsvSource({ "Redis,redis", "ＲＥＤＩＳ,redis", "ÄÖÜ,äöü", "A\u0308,ä", "ﬁn,fin", "İ,i\u0307", "ΟΔΟΣ,οδος", "ẞ,ß",
			"\uFDFA,صلىاللهعليهوسلم" })
	void tagsThatReadTheSameAreTheSame(String tag, String folded) {
		assertThat(HashtagRules.fold(tag)).isEqualTo(folded);
		assertThat(HashtagRules.fold(folded)).isEqualTo(folded);
	}

	@Test
	void foldingAgainChangesNothingAndLeavesOnlyCharactersOfTags() {
		IntStream.rangeClosed(1, Character.MAX_CODE_POINT)
			.filter(HashtagRules::isPart)
			.mapToObj((character) -> "a" + Character.toString(character))
			.forEach((tag) -> {
				String folded = HashtagRules.fold(tag);
				assertThat(HashtagRules.fold(folded)).as(tag).isEqualTo(folded);
				assertThat(HashtagRules.isValid(folded)).as(tag).isTrue();
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a b", "a,b", "a{b}", "1", "_", "\u0301a", "a\n" })
	void whatIsNoTag(String text) {
		assertThat(HashtagRules.isValid(text)).isFalse();
	}

	@Test
	void aLongAddressShowsItsFirstThirtyCharactersWithoutTheScheme() {
		assertThat(url("https://example.org/" + "a".repeat(18)).rest()).isEmpty();
		TextPart.Url url = url("http://example.org/" + "a".repeat(19));
		assertThat(url.before()).isEqualTo("http://");
		assertThat(url.shown()).isEqualTo("example.org/" + "a".repeat(18)).hasSize(30);
		assertThat(url.rest()).isEqualTo("a");
	}

	@Test
	void theWholeHostIsShownAndOfAVeryLongOneItsEnd() {
		TextPart.Url whole = url("https://bank.example.com." + "a".repeat(30) + ".org/path");
		assertThat(whole.shown()).isEqualTo("bank.example.com." + "a".repeat(30) + ".org");
		assertThat(whole.isHostCut()).isFalse();
		assertThat(whole.rest()).isEqualTo("/path");
		String end = "a".repeat(50) + ".evil.org:";
		TextPart.Url cut = url("https://bank.example.com." + end + "?q");
		assertThat(cut.shown()).isEqualTo(end).hasSize(60);
		assertThat(cut.isHostCut()).isTrue();
		assertThat(cut.before() + cut.shown() + cut.rest()).isEqualTo(cut.text());
	}

	private static TextPart.Url url(String text) {
		return (TextPart.Url) ParsedPostText.of(text).parts().get(0);
	}

	@Test
	@Timeout(20)
	void aTextThatIsMadeToBeSlowIsNot() {
		assertThatNoException().isThrownBy(() -> Stream
			.of("#", "@", "##a", "@@a", "http://", "https://a)", "https://a(", "h", "a@", "#a", "https://a@", "#\u0301",
					"https://a.,;")
			.forEach((piece) -> assertThat(LONG.compareTo(time(piece.repeat(100_000)))).as(piece).isPositive()));
	}

	private static Duration time(String text) {
		long begin = System.nanoTime();
		ParsedPostText.of(text);
		return Duration.ofNanos(System.nanoTime() - begin);
	}

}
