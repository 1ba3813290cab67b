package live.retwis.ops;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * {@code capacity.md} is what its script prints, and the script's figures are measured
 * ones.
 */
@Timeout(60)
class CapacityTests {

	private static final Path DOCS = Path.of("src", "docs");

	private static final Path SCRIPT = DOCS.resolve("Capacity.java");

	/** Where the script is compiled to, once for all runs but the one as documented. */
	@TempDir
	@SuppressWarnings("NullAway.Init")
	private static Path classes;

	@TempDir
	@SuppressWarnings("NullAway.Init")
	private Path directory;

	@BeforeAll
	static void compile() {
		assertThat(
				ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", classes.toString(), SCRIPT.toString()))
			.isZero();
	}

	@Test
	void theTablesAreWhatTheScriptPrints() throws Exception {
		Printed printed = java(SCRIPT.toString());
		assertThat(printed.exit()).isZero();
		assertThat(Files.readString(DOCS.resolve("capacity.md"))).contains(printed.text());
	}

	@Test
	void eachFigureIsOneThatWasMeasured() throws Exception {
		String measured = Files.readString(DOCS.resolve("measured.md"));
		List<String> figures = run().text()
			.lines()
			.takeWhile((line) -> !line.isEmpty())
			.skip(2)
			.map((row) -> row.split("\\|")[2].strip())
			.toList();
		assertThat(figures).hasSizeGreaterThan(10)
			.allSatisfy((figure) -> assertThat(measured).containsPattern("(?<![\\d,.])" + figure + "(?![\\d,])"));
	}

	/**
	 * A post and its likes in Redis take 524 and 136 bytes, and three likes are usual.
	 */
	@Test
	void aSiteWithMoreLikesNeedsMore() throws Exception {
		String posts = "– posts that have not moved";
		double usual = row(posts, run("users=1000000"));
		double liked = row(posts, run("users=1000000", "likes=6"));
		assertThat(usual).isEqualTo(18 * (524 + 136) / 1e3, within(0.1));
		assertThat(liked).isEqualTo(18 * (524 + 2 * 136) / 1e3, within(0.1));
	}

	/** A post costs the log's master 325 µs with one instance, and 417 with four. */
	@Test
	void whatAPostCostsTheLogGrowsWithTheInstances() throws Exception {
		Printed printed = run("users=100000000");
		double instances = row("instances for these streams", printed);
		double posts = row("posts a second in the busiest hour", printed);
		assertThat(instances).isEqualTo(53);
		assertThat(row("posts in the busiest hour, in % of that", printed))
			.isEqualTo(posts * (325 + (417 - 325) / 3.0 * (instances - 1)) / 1e4, within(1.0))
			.isGreaterThan(100);
		assertThat(Files.readString(DOCS.resolve("capacity.md")))
			.contains("**A hundred million users do not fit on one log.**");
		assertThat(row("posts in the busiest hour, in % of that", run("users=1000000"))).isLessThan(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "user=3", "users=many", "users=-1", "users=NaN", "users=1e99", "users" })
	void whatCannotBeReadIsRefusedWithTheNames(String argument) throws Exception {
		Printed printed = run(argument);
		assertThat(printed.exit()).isEqualTo(2);
		assertThat(printed.text()).contains("'" + argument + "'").contains("posts-a-day");
	}

	/** A figure of a site of one size. */
	private static double row(String name, Printed printed) {
		return printed.text()
			.lines()
			.filter((line) -> line.startsWith("| " + name + " |"))
			.mapToDouble((line) -> Double.parseDouble(line.split("\\|")[2].strip().replace(",", "")))
			.findFirst()
			.orElseThrow();
	}

	private Printed run(String... arguments) throws IOException, InterruptedException {
		return java(Stream.concat(Stream.of("-cp", classes.toString(), "Capacity"), Stream.of(arguments))
			.toArray(String[]::new));
	}

	private Printed java(String... arguments) throws IOException, InterruptedException {
		Path output = this.directory.resolve("printed");
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
		command.addAll(List.of(arguments));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
		assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("the script has ended").isTrue();
		return new Printed(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8).strip());
	}

	/**
	 * What the script did.
	 *
	 * @param exit its exit code
	 * @param text all that it printed
	 */
	private record Printed(int exit, String text) {
	}

}
