package live.retwis.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class StrippedSourceTests {

	@Test
	void commentsGoAndSoDoesTheSpaceBeforeCode() {
		assertThat(StrippedSource.of("a.js", """
				// one
				/** two, with code in it: x(); */
				const a = "https://x"; // beside code

				  /*
				   * three
				   */
				  if (a) { // says "more"
				    b(`/* ${a} */`);
				  }
				/* four */ c();
				/* five */
				  // six
				""")).isEqualTo("""
				const a = "https://x";
				if (a) {
				b(`/* ${a} */`);
				}
				/* four */ c();
				""");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a(\"b; // c\");\n", "a(`b; // c`, 'd; // e');\n", "a('\\'; // b');\n",
			"a.replace(/; \\/\\//, \"\");\n", "a(/[\"]; // b/);\n", ".a { content: \"; /* b */\"; }\n" })
	void whatOnlyLooksLikeACommentStays(String source) {
		assertThat(StrippedSource.of("a.js", source)).isEqualTo(source);
	}

	@ParameterizedTest
	@ValueSource(strings = { "const a = `\n  // text\n`;\n", "b(`x ${a ? `y` : \"\"}\n  z`);\n",
			"a(`b ${c(\"`; // d\")}`);\n", "a(); /* one\n  two */ b();\n", "a(); /* one\n// two */ b();\n",
			"const a = \"one\\\n  two\";\n" })
	void whatHasSeveralLinesBesideCodeIsRefusedByName(String source) {
		assertThatIllegalStateException().isThrownBy(() -> StrippedSource.of("a.js", source))
			.withMessageContaining("static/a.js")
			.withMessageContaining(source.lines().findFirst().orElseThrow());
	}

	/** Of the site's own files each line of code is there, in its order. */
	@Test
	void ofTheSiteAllCodeStays() throws IOException {
		for (Path file : files()) {
			Iterator<String> code = StrippedSource.of(file.getFileName().toString(), Files.readString(file))
				.lines()
				.iterator();
			String next = code.next();
			for (String line : Files.readString(file).lines().map(String::strip).toList()) {
				if (line.startsWith(next) && line.substring(next.length()).matches("(?: (?://|/\\*).*)?")) {
					assertThat(next).as("%s", file).isNotEmpty().doesNotMatch("//.*|/\\*.*\\*/");
					next = code.hasNext() ? code.next() : "nothing";
				}
				else {
					assertThat(line).as("%s: what went", file).matches("|(?://|/\\*|\\*).*|.*\\*/");
				}
			}
			assertThat(next).as("%s", file).isEqualTo("nothing");
		}
	}

	private static List<Path> files() throws IOException {
		try (Stream<Path> files = Files.list(Path.of("..", "static"))) {
			return files.filter((file) -> file.toString().matches(".*\\.(?:js|css)")).toList();
		}
	}

}
