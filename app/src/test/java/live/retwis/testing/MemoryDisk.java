package live.retwis.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Temporary directories on a disk in memory, if the machine has one. They are for servers
 * that answer when a file is on the disk: other tests may keep the real disk busy for
 * more than a second.
 */
public final class MemoryDisk implements TempDirFactory {

	private static final Path ROOT = Path.of("/dev/shm");

	/** A new directory, which the caller must remove. */
	static Path newDirectory() throws IOException {
		return Files.isWritable(ROOT) ? Files.createTempDirectory(ROOT, "retwis-tests-")
				: Files.createTempDirectory("retwis-tests-");
	}

	@Override
	public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
		return newDirectory();
	}

}
