package live.retwis.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import live.retwis.locks.nodes.UserTempDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(60)
class ProcessGuardTests {

	@Test
	void aProcessThatCannotBeRecordedIsKilled() throws Exception {
		Set<Path> before = labs();
		try (ProcessGuard guard = new ProcessGuard()) {
			Set<Path> own = new HashSet<>(labs());
			own.removeAll(before);
			FileSystemUtils.deleteRecursively(own.iterator().next());
			Process process = new ProcessBuilder("sleep", "60").start();
			assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> guard.started(process.pid()));
			assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
		}
	}

	/** The directories with records of processes of this JVM. */
	private static Set<Path> labs() throws IOException {
		Path labs = Files.createDirectories(UserTempDirectory.directory().resolve("labs"));
		String own = ProcessHandle.current().pid() + " ";
		Set<Path> found = new HashSet<>();
		try (DirectoryStream<Path> entries = Files.newDirectoryStream(labs, "lab-*")) {
			for (Path entry : entries) {
				Path record = entry.resolve("processes");
				if (Files.exists(record) && Files.readString(record).startsWith(own)) {
					found.add(entry);
				}
			}
		}
		return found;
	}

}
