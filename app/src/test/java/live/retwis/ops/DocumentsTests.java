package live.retwis.ops;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The links of the documents lead somewhere, their lines fit into a terminal, and they
 * list the settings that exist.
 */
class DocumentsTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final Path README = ROOT.resolve("README.md");

	private static final Path OPERATE = ROOT.resolve("app/src/docs/operate.md");

	private static final Path METADATA = Path.of("target/classes/META-INF/spring-configuration-metadata.json");

	private static final Path RENAMED = ROOT.resolve("app/src/docs/renamed.md");

	private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+(?:Tests|Chaos|Bench|IT))[`#]");

	private static final Pattern CLASS = Pattern.compile("`(?:[a-z.]+\\.)?([A-Z]\\w+)`");

	/** Folders that have no documents of this project. */
	private static final Set<String> PASSED_OVER = Set.of("target", ".git", "data");

	/** Most characters in a line. */
	private static final int WIDTH = 120;

	/** Most lines of the README. */
	private static final int LENGTH = 150;

	/** A link or an image. */
	private static final Pattern LINK = Pattern.compile("\\[[^\\[\\]]*]\\(([^()\\s]+)\\)");

	private static final Pattern HEADING = Pattern.compile("#{1,6} +(.+)");

	/** Spring Boot gives each endpoint of an application the same settings. */
	private static final String OF_EVERY_ENDPOINT = "management.endpoint.";

	private static final Pattern SETTING = Pattern.compile("\\| `(retwis\\.[a-z.-]+)` \\| (`[^`]+`|–)");

	/** A line that cannot be broken, because it is a row of a table or a single link. */
	private static final Pattern WHOLE = Pattern.compile("\\|.*|\\s*(?:[-*] )?!?" + LINK + "[.,;:]?");

	@Test
	void everyLinkLeadsToAFileAndAHeading() throws IOException {
		List<String> broken = new ArrayList<>();
		Map<Path, Set<String>> anchors = new HashMap<>();
		for (Path document : documents()) {
			for (String address : links(document)) {
				String[] parts = address.split("#", 2);
				Path target = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]).normalize();
				if (!Files.exists(target) || !target.startsWith(ROOT)) {
					broken.add(named(document) + ": there is no " + address);
				}
				else if (parts.length > 1
						&& !anchors.computeIfAbsent(target, DocumentsTests::anchors).contains(parts[1])) {
					broken.add(named(document) + ": no heading is " + address);
				}
			}
		}
		assertThat(broken).isEmpty();
	}

	@Test
	void everyTestThatADocumentNamesExists() throws IOException {
		Set<String> classes = classes();
		List<String> missing = new ArrayList<>();
		for (Path document : documents()) {
			TEST.matcher(Files.readString(document))
				.results()
				.map((test) -> test.group(1))
				.filter((test) -> !document.equals(RENAMED) && !classes.contains(test))
				.forEach((test) -> missing.add(named(document) + ": " + test));
		}
		assertThat(missing).isEmpty();
	}

	@Test
	void theNewNamesInTheTableOfRenamedClassesExist() throws IOException {
		List<String> names = Files.readAllLines(RENAMED)
			.stream()
			.filter((line) -> line.startsWith("| `"))
			.flatMap((line) -> CLASS.matcher(line.substring(line.lastIndexOf('|', line.length() - 2))).results())
			.map((name) -> name.group(1))
			.toList();
		assertThat(names).hasSizeGreaterThan(200);
		assertThat(classes()).containsAll(names);
	}

	/** The names of all classes that have a file of their own. */
	private static Set<String> classes() throws IOException {
		return files((file) -> file.toString().endsWith(".java")).stream()
			.map((file) -> file.getFileName().toString().replace(".java", ""))
			.collect(Collectors.toSet());
	}

	@Test
	void everyDocumentCanBeReachedFromTheReadme() throws IOException {
		Set<Path> reached = new TreeSet<>();
		reach(README, reached);
		assertThat(reached).containsAll(documents());
	}

	@Test
	void theReadmeIsShort() throws IOException {
		List<String> lines = Files.readAllLines(README);
		assertThat(lines.size()).as("lines").isLessThanOrEqualTo(LENGTH);
		assertThat(lines.stream().filter((line) -> line.length() > WIDTH)).isEmpty();
	}

	@Test
	void noLineIsTooLongForATerminal() throws IOException {
		List<String> tooLong = new ArrayList<>();
		for (Path document : documents()) {
			List<String> lines = Files.readAllLines(document);
			for (int i = 0; i < lines.size(); i++) {
				String line = lines.get(i);
				if (line.length() > WIDTH && !WHOLE.matcher(line).matches()) {
					tooLong.add(named(document) + ":" + (i + 1));
				}
			}
		}
		assertThat(tooLong).isEmpty();
	}

	@Test
	void theOperatorsTableListsEachSettingWithItsDefault() throws IOException {
		Map<String, String> told = new TreeMap<>();
		for (String line : Files.readAllLines(OPERATE)) {
			Matcher row = SETTING.matcher(line);
			if (row.lookingAt()) {
				told.put(row.group(1), row.group(2).replace("`", ""));
			}
		}
		Map<String, String> there = new TreeMap<>();
		for (JsonNode property : JsonMapper.shared().readTree(Files.readString(METADATA)).get("properties")) {
			String name = property.get("name").asString();
			String value = property.path("defaultValue").asString("");
			if (!name.startsWith(OF_EVERY_ENDPOINT)) {
				there.put(name, value.isEmpty() ? "–" : value);
			}
		}
		assertThat(there).isNotEmpty();
		assertThat(told).containsExactlyInAnyOrderEntriesOf(there);
	}

	private static List<Path> documents() throws IOException {
		List<Path> found = files(DocumentsTests::isDocument);
		assertThat(found).hasSizeGreaterThan(10).contains(README, OPERATE);
		return found;
	}

	private static List<Path> files(Predicate<Path> wanted) throws IOException {
		List<Path> found = new ArrayList<>();
		Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
				return PASSED_OVER.contains(folder.getFileName().toString()) ? FileVisitResult.SKIP_SUBTREE
						: FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
				if (wanted.test(file)) {
					found.add(file);
				}
				return FileVisitResult.CONTINUE;
			}

		});
		return found;
	}

	private static boolean isDocument(Path file) {
		return file.toString().endsWith(".md");
	}

	/**
	 * Follows the links of a document. A link to a folder reaches the documents in it.
	 */
	private static void reach(Path target, Set<Path> reached) throws IOException {
		if (Files.isDirectory(target)) {
			try (var files = Files.list(target)) {
				for (Path file : files.filter(DocumentsTests::isDocument).toList()) {
					reach(file, reached);
				}
			}
		}
		else if (isDocument(target) && Files.exists(target) && reached.add(target)) {
			for (String address : links(target)) {
				reach(target.resolveSibling(address.replaceFirst("#.*", "")).normalize(), reached);
			}
		}
	}

	/** The relative addresses of links and images. */
	private static List<String> links(Path document) {
		String text = String.join("\n", prose(document)).replaceAll("`[^`\n]*`", "");
		return LINK.matcher(text)
			.results()
			.map((link) -> link.group(1))
			.filter((address) -> !address.matches("[a-z]+:.*"))
			.toList();
	}

	/** The anchors that GitHub makes of the headings of a document. */
	private static Set<String> anchors(Path document) {
		Set<String> anchors = new TreeSet<>();
		for (String line : isDocument(document) ? prose(document) : List.<String>of()) {
			Matcher heading = HEADING.matcher(line);
			if (heading.matches()) {
				anchors.add(heading.group(1)
					.toLowerCase(Locale.ROOT)
					.replaceAll("[^\\p{L}\\p{N} _-]", "")
					.replace(' ', '-'));
			}
		}
		return anchors;
	}

	/** The lines of a document without those of examples. */
	private static List<String> prose(Path document) {
		List<String> prose = new ArrayList<>();
		boolean example = false;
		for (String line : read(document)) {
			if (line.strip().startsWith("```")) {
				example = !example;
			}
			else if (!example) {
				prose.add(line);
			}
		}
		return prose;
	}

	private static List<String> read(Path document) {
		try {
			return Files.readAllLines(document);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String named(Path document) {
		return ROOT.relativize(document).toString();
	}

}
