package live.retwis.locks.nodes.testing.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What figures were measured on. */
final class Machine {

	private static final Path CPU = Path.of("/proc/cpuinfo");

	private static final Path MEMORY = Path.of("/proc/meminfo");

	private Machine() {
	}

	/** Processor, memory, versions, and the load of the last minute, on one line. */
	static String describe() {
		return String.format(Locale.ROOT, "%d cores of %s, %s, %s %s, Java %s, a load of %.1f at the end", cores(),
				value(CPU, "model name").orElseGet(() -> System.getProperty("os.arch")),
				value(MEMORY, "MemTotal").map(Machine::gibibytes).orElse("unknown memory"),
				System.getProperty("os.name"), System.getProperty("os.version"), System.getProperty("java.version"),
				ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
	}

	/** All cores of the machine. A benchmark may be bound to one of them. */
	private static long cores() {
		long found = lines(CPU).filter((line) -> line.startsWith("processor")).count();
		return (found > 0) ? found : Runtime.getRuntime().availableProcessors();
	}

	/**
	 * Rounds to GiB.
	 * @param kibibytes such as {@code 1024 kB}
	 */
	private static String gibibytes(String kibibytes) {
		return Math.round(Double.parseDouble(kibibytes.split(" ")[0]) / (1 << 20)) + " GiB";
	}

	/** The value of a line such as {@code model name : value}. */
	private static Optional<String> value(Path file, String name) {
		return lines(file).filter((line) -> line.startsWith(name))
			.findFirst()
			.map((line) -> line.substring(line.indexOf(':') + 1).strip());
	}

	/** No lines where there is no such file. */
	private static Stream<String> lines(Path file) {
		try {
			return Files.isReadable(file) ? Files.readAllLines(file).stream() : Stream.empty();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
