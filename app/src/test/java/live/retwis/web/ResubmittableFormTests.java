package live.retwis.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ResubmittableFormTests {

	private static final Pattern INPUT = Pattern.compile("<input [^>]*>");

	private static final Pattern NAME = Pattern.compile(" name=\"(\\w+)\"");

	@Test
	void noPasswordOfAnyFormIsSentBack() throws IOException {
		Set<String> passwords;
		try (Stream<Path> files = Files.walk(Path.of("../templates"))) {
			passwords = files.filter((file) -> file.toString().endsWith(".mustache"))
				.flatMap((file) -> INPUT.matcher(read(file)).results())
				.map(MatchResult::group)
				.filter((input) -> input.contains(" type=\"password\""))
				.map(NAME::matcher)
				.filter(Matcher::find)
				.map((name) -> name.group(1))
				.collect(Collectors.toSet());
		}
		assertThat(passwords).contains("password").allSatisfy((name) -> {
			ResubmittableForm.Field field = ResubmittableForm.Field.of(name, "a secret");
			assertThat(field.value()).isEmpty();
			assertThat(field.password()).isTrue();
		});
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
