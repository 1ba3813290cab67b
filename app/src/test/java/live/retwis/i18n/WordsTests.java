package live.retwis.i18n;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every text for people is in the catalogue of each language, and every text in the
 * catalogue is used.
 */
class WordsTests {

	private static final Path TEMPLATES = Path.of("../templates");

	private static final Path STATIC = Path.of("../static");

	private static final Path MAIN = Path.of("src/main/java");

	private static final Pattern IN_TEMPLATES = Pattern.compile("\\[\\[([^ \\]]+)((?: \\{\\{[^{}]+}})*)]]");

	private static final Pattern IN_HANDLERS = Pattern
		.compile("(?:\\bMessage\\s*\\.of|\\blanguage\\.text|[^.\\w]text)\\(\\s*\"([^\"]+)\"");

	/** All texts whose keys begin with this are shown. */
	private static final Pattern WITH_PREFIX = Pattern.compile("explanations\\(frame, \"([a-z.]+\\.)\"");

	private static final Pattern IN_SCRIPTS = Pattern.compile("\\bwords\\(\\s*\"([^\"]+)\"");

	private static final Pattern IN_STYLES = Pattern.compile("var\\(--text-([^)]+)\\)");

	/** A place for a value. */
	private static final Pattern PLACE = Pattern.compile("\\{(\\d)");

	/**
	 * A value that chooses a plural form. Other languages need not have the same forms.
	 */
	private static final Pattern CHOICE = Pattern.compile("\\{\\d,choice,(?:[^{}]|\\{\\d})*}");

	/** Start and end tags. */
	private static final Pattern TAG = Pattern.compile("</?\\w+(?: [^<>]*)?>");

	/**
	 * What a template may show besides texts of the catalogue: the site's name, units and
	 * formats.
	 */
	private static final Pattern NAMES = Pattern.compile("Retwis|Live|JSON|p50|p95|p99|ms|&\\w+;");

	@Test
	void everyTextIsUsedAndEveryUsedTextExists() throws IOException {
		Set<String> used = new TreeSet<>();
		found(IN_TEMPLATES, TEMPLATES, ".mustache").forEach((text) -> used.add(text.group(1)));
		found(IN_HANDLERS, MAIN, ".java").forEach((text) -> used.add(text.group(1)));
		found(IN_SCRIPTS, STATIC, ".js").forEach((text) -> used.add("script." + text.group(1)));
		Set<String> keys = new TreeSet<>(catalogue("messages.properties").keySet());
		found(WITH_PREFIX, MAIN, ".java")
			.forEach((text) -> keys.stream().filter((key) -> key.startsWith(text.group(1))).forEach(used::add));
		found(IN_STYLES, STATIC, ".css").forEach((text) -> used.add("style." + text.group(1)));
		assertThat(keys).hasSizeGreaterThan(200).isEqualTo(used);
	}

	/**
	 * The second of two texts with one key would win, wherever the first one is shown.
	 */
	@Test
	void noKeyIsThereTwice() throws IOException {
		for (String file : catalogues()) {
			List<String> keys = Files.readAllLines(TEMPLATES.resolve("words").resolve(file))
				.stream()
				.filter((line) -> line.matches("[^#\\s][^=]*=.*"))
				.map((line) -> line.substring(0, line.indexOf('=')))
				.toList();
			assertThat(keys).as(file).hasSizeGreaterThan(40).doesNotHaveDuplicates();
		}
	}

	@Test
	void aTextHasTheSameValuesAndTagsInEveryLanguage() throws IOException {
		for (String file : catalogues()) {
			Map<String, String> english = catalogue(file.replaceAll("_[^.]+", ""));
			Map<String, String> texts = catalogue(file);
			assertThat(texts.keySet()).as(file).isEqualTo(english.keySet());
			texts.forEach((key, text) -> {
				String same = english.getOrDefault(key, "");
				assertThat(all(PLACE, same)).as(file + ": places of " + key).containsAll(all(PLACE, text));
				assertThat(all(PLACE, text)).as(file + ": places of " + key)
					.containsAll(all(PLACE, CHOICE.matcher(same).replaceAll("")));
				assertThat(all(TAG, text)).as(file + ": tags of " + key).isEqualTo(all(TAG, same));
			});
		}
	}

	/** In a message format a straight apostrophe quotes the characters after it. */
	@Test
	void onlyDateFormatsContainAStraightApostrophe() throws IOException {
		for (String file : catalogues()) {
			catalogue(file).forEach((key, text) -> {
				if (!key.startsWith("time.")) {
					assertThat(text).as(file + ": " + key).doesNotContain("'");
				}
			});
		}
	}

	@Test
	void templatesPassAsManyValuesAsATextNeeds() throws IOException {
		Map<String, String> english = catalogue("messages.properties");
		found(IN_TEMPLATES, TEMPLATES, ".mustache").forEach((text) -> {
			long given = text.group(2).chars().filter((character) -> character == ' ').count();
			assertThat(all(PLACE, english.getOrDefault(text.group(1), ""))).as(text.group()).hasSize((int) given);
		});
	}

	@Test
	void templatesHaveNoWordsOfTheirOwn() throws IOException {
		for (Path file : files(TEMPLATES, ".mustache")) {
			String shown = read(file).replaceAll("(?s)\\{\\{!.*?}}", "")
				.replaceAll("(?s)\\{\\{\\$(shape|at-\\w+)}}.*?\\{\\{/\\1}}", "")
				.replaceAll(" (?:aria-label|title|alt|placeholder|data-confirm)=\"([^\"]*)\"", ">$1<")
				.replaceAll(IN_TEMPLATES.pattern(), "")
				.replaceAll("\\{\\{\\{?[^{}]*}?}}", "")
				.replaceAll("<[^<>]*>", " ");
			assertThat(NAMES.matcher(shown).replaceAll("")).as(file.toString()).doesNotContainPattern("[A-Za-z]{2}");
		}
	}

	@Test
	void scriptsHaveNoSentencesOfTheirOwn() throws IOException {
		Pattern sentence = Pattern.compile("[\"'`]\\p{Lu}\\p{Ll}*(?: \\p{L}\\p{Ll}*)+");
		for (Path file : files(STATIC, ".js")) {
			String code = read(file).replaceAll("(?s)/\\*.*?\\*/", "").replaceAll("(?m)^\\s*//.*$", "");
			assertThat(code).as(file.toString()).doesNotContainPattern(sentence);
		}
	}

	@Test
	void theStylesheetHasNoWords() throws IOException {
		List<MatchResult> shown = found(Pattern.compile("(?<![\\w-])content:([^;}]*)"), STATIC, ".css");
		assertThat(shown).isNotEmpty()
			.allSatisfy((content) -> assertThat(content.group(1).replaceAll("(?:var|attr)\\([^)]*\\)", ""))
				.doesNotContainPattern("\\p{L}"));
	}

	private static List<String> catalogues() throws IOException {
		List<String> found = files(TEMPLATES.resolve("words"), ".properties").stream()
			.map((file) -> file.getFileName().toString())
			.toList();
		assertThat(found).contains("messages.properties", "messages_zh.properties");
		return found;
	}

	private static Map<String, String> catalogue(String file) throws IOException {
		Properties read = new Properties();
		try (Reader in = Files.newBufferedReader(TEMPLATES.resolve("words").resolve(file))) {
			read.load(in);
		}
		Map<String, String> texts = new TreeMap<>();
		read.stringPropertyNames().forEach((key) -> texts.put(key, read.getProperty(key)));
		return texts;
	}

	private static Set<String> all(Pattern pattern, String text) {
		return pattern.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
	}

	private static List<MatchResult> found(Pattern pattern, Path folder, String suffix) throws IOException {
		return files(folder, suffix).stream().flatMap((file) -> pattern.matcher(read(file)).results()).toList();
	}

	private static List<Path> files(Path folder, String suffix) throws IOException {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter((file) -> file.toString().endsWith(suffix)).toList();
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
