package live.retwis.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class StrippedSourceTests {

	@Test
	void linesThatAreCommentsGoAndSoDoesTheSpaceBeforeCode() {
		assertThat(StrippedSource.of("a.js", """
				// one
				/** two, with code in it: x(); */
				const a = "https://x"; // beside code

				  /*
				   * three
				   */
				  if (a) {
				    b(`/* ${a} */`);
				  }
				/* four */ c();
				/* five */
				  // six
				""")).isEqualTo("""
				const a = "https://x"; // beside code
				if (a) {
				b(`/* ${a} */`);
				}
				/* four */ c();
				""");
	}

	@ParameterizedTest
	@ValueSource(strings = { "const a = `\n  // text\n`;\n", "b(`x ${a ? `y` : \"\"}\n  z`);\n",
			"a(); /* one\n  two */ b();\n", "a(); /* one\n// two */ b();\n", "const a = \"one\\\n  two\";\n" })
	void whatHasSeveralLinesBesideCodeIsRefusedByName(String source) {
		assertThatIllegalStateException().isThrownBy(() -> StrippedSource.of("a.js", source))
			.withMessageContaining("static/a.js")
			.withMessageContaining(source.lines().findFirst().orElseThrow());
	}

	/** Of the site's own files each line of code is there, in its order. */
	@Test
	void ofTheSiteAllCodeStays() throws IOException {
		for (Path file : files()) {
			List<String> code = StrippedSource.of(file.getFileName().toString(), Files.readString(file))
				.lines()
				.toList();
			assertThat(Files.readString(file).lines().map(String::strip)).as("%s", file).containsSubsequence(code);
			assertThat(code).as("%s", file).noneMatch((line) -> line.matches("//.*|/\\*.*\\*/|\\s.*|"));
			assertThat(Files.readString(file).lines().map(String::strip).filter((line) -> !code.contains(line)))
				.as("%s: what went", file)
				.allMatch((line) -> line.isEmpty() || line.matches("(?://|/\\*|\\*).*|.*\\*/"));
		}
	}

	private static List<Path> files() throws IOException {
		try (Stream<Path> files = Files.list(Path.of("..", "static"))) {
			return files.filter((file) -> file.toString().matches(".*\\.(?:js|css)")).toList();
		}
	}

}
