package live.retwis.ops;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Assumptions;

/**
 * Runs commands of Docker.
 */
final class Docker {

	private static final long LIMIT_MINUTES = 5;

	private Docker() {
	}

	/** Skips the test if no engine answers, unless {@code -Dretwis.docker=required}. */
	static void assumeAnswers() {
		Assumptions.assumeTrue("required".equals(System.getProperty("retwis.docker")) || succeeds("docker", "version"),
				"no Docker engine answers");
	}

	/** The command of Compose, which is a part of Docker or a program of its own. */
	static List<String> compose() {
		return succeeds("docker", "compose", "version") ? List.of("docker", "compose") : List.of("docker-compose");
	}

	private static boolean succeeds(String... command) {
		try {
			return run(Path.of("."), Map.of(), List.of(command)).exit() == 0;
		}
		catch (UncheckedIOException ex) {
			return false;
		}
	}

	/**
	 * The output of a command.
	 * @throws IllegalStateException when it fails
	 */
	static String docker(String... arguments) {
		List<String> command = new ArrayList<>(List.of("docker"));
		command.addAll(List.of(arguments));
		return run(Path.of("."), Map.of(), command).successful();
	}

	static Said run(Path directory, Map<String, String> environment, List<String> command) {
		try {
			// The output goes to a file. Reading a pipe to its end would have no time
			// limit.
			Path output = Files.createTempFile("docker", ".txt");
			try {
				return run(directory, environment, command, output);
			}
			finally {
				Files.delete(output);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private static Said run(Path directory, Map<String, String> environment, List<String> command, Path output)
			throws IOException, InterruptedException {
		ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile());
		builder.environment().putAll(environment);
		Process process = builder.start();
		process.getOutputStream().close();
		boolean ended = process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
		String said = new String(Files.readAllBytes(output), StandardCharsets.UTF_8).strip();
		if (!ended) {
			process.destroyForcibly();
			throw new IllegalStateException(command + " does not end: " + said);
		}
		return new Said(command, process.exitValue(), said);
	}

	/** The exit code and the output of a command. */
	record Said(List<String> command, int exit, String output) {

		String successful() {
			if (this.exit != 0) {
				throw new IllegalStateException(this.command + " ended with " + this.exit + ": " + this.output);
			}
			return this.output;
		}

	}

}
