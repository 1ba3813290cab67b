package live.retwis.ops;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** X-ray links each command to a paragraph about it. */
class ExplanationTests {

	private static Set<String> explained(String prefix) throws IOException {
		Properties texts = new Properties();
		try (Reader file = Files.newBufferedReader(Path.of("../templates/words/messages.properties"))) {
			texts.load(file);
		}
		return texts.stringPropertyNames()
			.stream()
			.filter((key) -> key.startsWith(prefix))
			.map((key) -> key.substring(prefix.length()))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	@Test
	void eachCommandOfTheSiteHasAParagraph() throws IOException {
		assertThat(explained("xray.command.")).containsAll(CommandsInSources.dataNode()
			.stream()
			.map((command) -> command.replaceAll("\\|.*", ""))
			.collect(Collectors.toSet()));
	}

	@ParameterizedTest
	@CsvSource({ "messages, 2011|2014|tutorial", "messages_zh, 2011|2014|教程" })
	void eachCommandIsComparedWithTheTutorials(String language, String comparison) throws IOException {
		try (Stream<String> lines = Files.lines(Path.of("../templates/words/" + language + ".properties"))) {
			assertThat(lines.filter((line) -> line.startsWith("xray.command."))).hasSizeGreaterThan(60)
				.allSatisfy((line) -> assertThat(line).containsPattern(comparison));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "messages", "messages_zh" })
	void eachCommandTellsItsCost(String language) throws IOException {
		try (Stream<String> lines = Files.lines(Path.of("../templates/words/" + language + ".properties"))) {
			assertThat(lines.filter((line) -> line.startsWith("xray.command."))).hasSizeGreaterThan(60)
				.allSatisfy((line) -> assertThat(line).containsPattern("O\\([^)]+\\)"));
		}
	}

	@ParameterizedTest
	@CsvSource({ "messages, [Aa]t most|[Oo]ne for each|grows|Kept for|for an hour|It goes",
			"messages_zh, 最多|每位用户一个|增长|保留|消失" })
	void eachKeyTellsWhetherItGrows(String language, String bound) throws IOException {
		try (Stream<String> lines = Files.lines(Path.of("../templates/words/" + language + ".properties"))) {
			assertThat(lines.filter((line) -> line.startsWith("xray.key."))).hasSizeGreaterThan(30)
				.allSatisfy((line) -> assertThat(line).containsPattern(bound));
		}
	}

	@Test
	void eachScriptHasAParagraph() throws IOException {
		assertThat(explained("xray.script.")).isEqualTo(scripts().stream()
			.map((file) -> file.getFileName().toString().replace(".lua", ""))
			.collect(Collectors.toSet()));
	}

	/** What people do: they write, follow, react, register, log in and out. */
	@ParameterizedTest
	@CsvSource({ "messages, 2011|2014|tutorial", "messages_zh, 2011|2014|教程" })
	void theScriptsOfFormsAreComparedWithTheTutorials(String language, String comparison) throws IOException {
		assertThat(Stream.of("commit-username", "keep-session", "rotate-auth", "close-account", "create-hash",
				"publish", "delete-post", "add-within-limit", "add-follower", "remove-following", "remove-follower",
				"add-repost", "add-to-list", "add-notification", "set-profile", "declare-intent", "append",
				"swap-value"))
			.allSatisfy((script) -> assertThat(explanation(language, script)).containsPattern(comparison));
	}

	private static String explanation(String language, String script) throws IOException {
		try (Stream<String> lines = Files.lines(Path.of("../templates/words/" + language + ".properties"))) {
			return lines.filter((line) -> line.startsWith("xray.script." + script + "=")).findFirst().orElse("");
		}
	}

	@Test
	void eachScriptTellsItsCost() throws IOException {
		assertThat(scripts()).allSatisfy((script) -> assertThat(script).content()
			.containsPattern("(?m)^-- Cost     O\\((1|N|M|log N|M log N|log N \\+ M)\\)$"));
	}

	private static List<Path> scripts() throws IOException {
		try (Stream<Path> files = Files.list(Path.of("src/main/resources/lua"))) {
			return files.filter((file) -> file.toString().endsWith(".lua")).toList();
		}
	}

}
