package live.retwis.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import live.retwis.testing.ChildProcess;

/**
 * Gives a program a wrong wall clock. It needs Linux and a C compiler named {@code cc}.
 * Without them it fails, because a test with a right clock would prove nothing.
 */
final class ClockShim {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final Path library;

	private ClockShim(Path library) {
		this.library = library;
	}

	static ClockShim compile() {
		try (InputStream source = Objects.requireNonNull(ClockShim.class.getResourceAsStream("/clock-shim.c"))) {
			Path directory = Files.createDirectories(Path.of("target", "clock-shim")).toAbsolutePath();
			Path code = directory.resolve("clock-shim.c");
			Files.write(code, source.readAllBytes());
			Path library = directory.resolve("clock-shim.so");
			try (ChildProcess compiler = ChildProcess.start(directory.resolve("cc.log"),
					List.of("cc", "-O2", "-shared", "-fPIC", "-o", library.toString(), code.toString()))) {
				compiler.await(LIMIT);
			}
			return new ClockShim(library);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The environment variables for a program whose clock is off by this much. */
	Map<String, String> off(Duration offset) {
		return Map.of("LD_PRELOAD", this.library.toString(), "CLOCK_OFFSET_SECONDS", Long.toString(offset.toSeconds()));
	}

}
