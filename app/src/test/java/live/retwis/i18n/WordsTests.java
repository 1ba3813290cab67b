package live.retwis.i18n;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every text for people has its words in the other language, and no word has outlived its
 * text.
 */
class WordsTests {

	private static final String STRING = "\"(?:[^\"\\\\]|\\\\.)*\"";

	private static final Pattern IN_HANDLERS = Pattern
		.compile("\\bTranslatableText\\s*\\.of\\(\\s*(" + STRING + "(?:\\s*\\+\\s*" + STRING + ")*)");

	private static final Pattern IN_TEMPLATES = Pattern.compile("\\[\\[(.+?)]]");

	private static final Pattern IN_SCRIPTS = Pattern.compile("\\bwords\\(([^()]*)");

	private static final Pattern KEY = Pattern.compile("(?m)^  (?:\"([^\"]+)\"|(\\w+)): \"");

	@Test
	void pagesHaveTheWordsTheyNeedAndNoOthers() throws IOException {
		Set<String> texts = new TreeSet<>();
		found(IN_TEMPLATES, Path.of("../templates"), ".mustache").forEach((text) -> texts.add(text.group(1)));
		found(IN_HANDLERS, Path.of("src/main/java"), ".java").forEach((text) -> texts.add(joined(text.group(1))));
		Map<String, String> words = JsonMapper.shared()
			.readValue(Files.readString(Path.of("../templates/words/zh.json")), new TypeReference<>() {
			});
		assertThat(new TreeSet<>(words.keySet())).hasSizeGreaterThan(100).isEqualTo(texts);
		assertThat(words).allSatisfy((english, word) -> assertThat(places(word)).isEqualTo(places(english)));
	}

	@Test
	void scriptsHaveTheWordsTheyNeedAndNoOthers() throws IOException {
		Set<String> texts = found(IN_SCRIPTS, Path.of("../static"), ".js")
			.flatMap((call) -> Pattern.compile("\"([^\"]+)\"").matcher(call.group(1)).results())
			.map((text) -> text.group(1))
			.filter((text) -> !text.equals("paused") && !text.equals("\\n"))
			.collect(Collectors.toCollection(TreeSet::new));
		Set<String> known = KEY.matcher(Files.readString(Path.of("../static/words.js")))
			.results()
			.map((key) -> (key.group(1) != null) ? key.group(1) : key.group(2))
			.collect(Collectors.toCollection(TreeSet::new));
		texts.addAll(Set.of("Half", "99 of 100", "Slowest"));
		assertThat(known).hasSizeGreaterThan(25).isEqualTo(texts);
	}

	/** Values, tags and elements, which a translation keeps. */
	private static Set<String> places(String text) {
		return Pattern.compile("%s|\\{\\{[^}]*}}|<[^>]*>")
			.matcher(text)
			.results()
			.map(MatchResult::group)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static String joined(String literals) {
		return Pattern.compile(STRING)
			.matcher(literals)
			.results()
			.map((literal) -> literal.group().substring(1, literal.group().length() - 1))
			.collect(Collectors.joining());
	}

	private static Stream<MatchResult> found(Pattern pattern, Path directory, String suffix) throws IOException {
		try (Stream<Path> files = Files.walk(directory)) {
			return files.filter((file) -> file.toString().endsWith(suffix))
				.flatMap((file) -> pattern.matcher(read(file)).results())
				.toList()
				.stream();
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
