package live.retwis.locks.nodes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the file in which a node wrote the number of its process. So a node that does not
 * answer can be ended.
 */
final class PidFile {

	private static final Logger logger = LoggerFactory.getLogger(PidFile.class);

	/**
	 * By how many seconds the start of a process may seem too late. It is told in ticks
	 * since the boot.
	 */
	private static final int DRIFT = 2;

	private PidFile() {
	}

	/**
	 * The process that wrote the file, if it still runs. A process that began after the
	 * file was written only has the same number, and is not meant.
	 */
	static Optional<ProcessHandle> process(Path file) {
		if (!Files.exists(file)) {
			return Optional.empty();
		}
		try {
			Instant written = Files.getLastModifiedTime(file).toInstant().plusSeconds(DRIFT);
			return ProcessHandle.of(Long.parseLong(Files.readString(file).strip()))
				.filter((process) -> process.info().startInstant().filter(written::isAfter).isPresent());
		}
		catch (IOException | NumberFormatException ex) {
			logger.warn("{} does not tell the process of a Redis node", file, ex);
			return Optional.empty();
		}
	}

}
