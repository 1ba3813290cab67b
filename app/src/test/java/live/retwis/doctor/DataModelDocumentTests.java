package live.retwis.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import live.retwis.redis.Keys;
import live.retwis.testing.Site;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tables of keys in {@code data-model.md} and the keys that the doctor knows are the
 * same. They are compared by an example of each key, and by its type.
 */
class DataModelDocumentTests {

	private static final String ID = "0A1B2C3D4E5F6";

	private static final String OTHER_ID = "0A1B2C3D4E5F7";

	private static final String TABLE = "| Key | Type | Content | Bound |";

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	/** What the placeholders of the document stand for. */
	private static final Map<String, String> EXAMPLES = Map.ofEntries(Map.entry("<id>", ID), Map.entry("<user>", ID),
			Map.entry("<post>", OTHER_ID), Map.entry("<folded name>", "ann"),
			Map.entry("<sha-256 of the token>", "ab".repeat(32)), Map.entry("<first character>", "a"),
			Map.entry("<rule>", "likes"), Map.entry("<subject>", ID), Map.entry("<tag>", "redis"),
			Map.entry("<hour>", "489972"), Map.entry("<word>", "redis"), Map.entry("<form>", "0123456789"),
			Map.entry("<once>", "0123456789"), Map.entry("<list>", Keys.likes(OTHER_ID)), Map.entry("<place>", "65535"),
			Map.entry("<key>", Keys.user(ID)), Map.entry("{t…}", Keys.homeTimeline(ID).replaceAll(":.*", "")));

	/** Types of what has no members. */
	private static final Set<String> SINGLE = Set.of("string", "channel");

	/** A channel of messages. Redis stores nothing under its name. */
	private static final List<String> NO_KEYS = List.of(Keys.BUS);

	/**
	 * Home timelines of an earlier release, before they had buckets. Nobody writes them
	 * any more.
	 */
	private static final List<String> NO_LONGER_WRITTEN = List.of("timeline:", "{timeline:");

	@Test
	void eachKeyThatTheDoctorKnowsIsInTheTablesWithItsType() throws IOException {
		List<Row> rows = rows();
		List<KeySchema> schemas = schemas().stream()
			.filter((schema) -> !NO_LONGER_WRITTEN.contains(schema.prefix()))
			.toList();
		assertThat(schemas).hasSizeGreaterThan(50)
			.allSatisfy((schema) -> assertThat(rows).as(schema.prefix() + ", " + schema.type())
				.anyMatch((row) -> row.isOf(schema)));
	}

	@Test
	void eachKeyInTheTablesIsKnownToTheDoctor() throws IOException {
		List<KeySchema> schemas = schemas();
		assertThat(rows()).hasSizeGreaterThan(50)
			.filteredOn((row) -> !NO_KEYS.contains(row.key()))
			.allSatisfy((row) -> assertThat(schemas).as(row.toString()).anyMatch(row::isOf));
	}

	@Test
	void eachExceptionIsOneStill() throws IOException {
		assertThat(rows()).extracting(Row::key).containsAll(NO_KEYS);
		assertThat(schemas()).extracting(KeySchema::prefix).containsAll(NO_LONGER_WRITTEN);
	}

	@Test
	void eachKeyInTheTablesHasABoundIfItCanGrow() throws IOException {
		assertThat(rows())
			.allSatisfy((row) -> assertThat(row.bound()).as(row.toString()).matches(row.canGrow() ? "[^–]+" : ".+"));
	}

	/** The schemas of what is in Redis. */
	private static List<KeySchema> schemas() {
		return schemas(Site.shared());
	}

	/** The schemas of what a site has in Redis. */
	static List<KeySchema> schemas(Site site) {
		return site.beans(RuleSet.class)
			.stream()
			.flatMap((rules) -> rules.keySchemas().stream())
			.filter((schema) -> schema.type() != null)
			.toList();
	}

	/** A line with several keys makes a row of each. */
	private static List<Row> rows() throws IOException {
		return Stream.of(Files.readString(Path.of("src/docs/data-model.md")).split("\n\n"))
			.filter((part) -> part.startsWith(TABLE))
			.flatMap(String::lines)
			.filter((line) -> line.startsWith("| `"))
			.flatMap(DataModelDocumentTests::rowsOf)
			.toList();
	}

	private static Stream<Row> rowsOf(String line) {
		List<String> cells = Stream.of(line.split("\\|", -1)).map(String::strip).toList();
		assertThat(cells).as(line).hasSize(6);
		return CODE.matcher(cells.get(1)).results().map((key) -> new Row(key.group(1), cells.get(2), cells.get(4)));
	}

	/**
	 * A key in a table.
	 *
	 * @param key its name with placeholders
	 * @param type the first word is the Redis type
	 * @param bound how much it can have, or how long it lives
	 */
	private record Row(String key, String type, String bound) {

		boolean isOf(KeySchema schema) {
			return schema.has(example()) && this.type.split(",")[0].equals(schema.type());
		}

		/**
		 * A dash stands for the bound of a single text. What has members can grow, and so
		 * can the number of keys with a placeholder in their name.
		 */
		boolean canGrow() {
			return !SINGLE.contains(this.type) || !example().equals(this.key);
		}

		private String example() {
			String example = this.key;
			for (Map.Entry<String, String> placeholder : EXAMPLES.entrySet()) {
				example = example.replace(placeholder.getKey(), placeholder.getValue());
			}
			assertThat(example).as("without placeholders").doesNotContainPattern("[<>…]");
			return example;
		}

	}

}
