package live.retwis.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import live.retwis.testing.Site;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DataModelDocumentTests {

	/**
	 * What stands for an id, a user or another variable part of a key in the document.
	 */
	private static final String VARIABLE = "<[^>]+>";

	@Test
	void eachKeyThatTheDoctorKnowsIsInTheTableOfKeys() throws IOException {
		List<String> rows = Files.readAllLines(Path.of("src/docs/data-model.md"))
			.stream()
			.filter((line) -> line.startsWith("| `"))
			.map((line) -> line.substring(0, line.indexOf('|', 2)).replaceAll(VARIABLE, ""))
			.toList();
		List<String> prefixes = Site.shared()
			.beans(RuleSet.class)
			.stream()
			.flatMap((rules) -> rules.keySchemas().stream())
			.filter((schema) -> schema.type() != null)
			.map((schema) -> schema.prefix().replaceAll("^\\{(?=\\w+:$)|\\{$", ""))
			.distinct()
			.toList();
		assertThat(prefixes).hasSizeGreaterThan(40)
			.allSatisfy((prefix) -> assertThat(rows)
				.anyMatch((row) -> (row.contains("`" + prefix) || row.contains(":" + prefix))));
	}

}
