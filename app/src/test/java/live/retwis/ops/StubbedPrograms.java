package live.retwis.ops;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Shell scripts in the place of the programs that a script of {@code src/ops/compose}
 * calls.
 */
final class StubbedPrograms {

	private static final Path SCRIPTS = Path.of("src", "ops", "compose").toAbsolutePath();

	private final Path directory;

	/** Nothing is stubbed yet. The directory is the one in which scripts run. */
	StubbedPrograms(Path directory) {
		this.directory = directory;
	}

	StubbedPrograms with(String program, String body) {
		try {
			Path file = Files.createDirectories(this.directory.resolve("bin")).resolve(program);
			Files.writeString(file, "#!/bin/sh\n" + body);
			Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
			return this;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	Docker.Said run(String script, String... arguments) {
		return run(SCRIPTS.resolve(script), Map.of(), arguments);
	}

	Docker.Said run(Path script, Map<String, String> environment, String... arguments) {
		List<String> command = new ArrayList<>(List.of("sh", script.toString()));
		command.addAll(List.of(arguments));
		Map<String, String> all = new HashMap<>(environment);
		all.put("PATH", this.directory.resolve("bin") + ":" + System.getenv("PATH"));
		return Docker.run(this.directory, all, command);
	}

}
