package live.retwis.browser;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What becomes of the processes.
 */
class BrowserEngineTests {

	@BrowserTest
	void leavesNoProcessAndNoFolder(BrowserKind kind) throws IOException {
		Set<Path> folders = folders();
		Set<ProcessHandle> processes = processes();
		try (BrowserEngine engine = kind.start(); Browser browser = engine.newBrowser()) {
			browser.newTab().open("about:blank");
			assertThat(engine.isOpen()).isTrue();
			assertThat(processes()).hasSizeGreaterThan(processes.size());
		}
		assertThat(processes()).isSubsetOf(processes);
		assertThat(folders()).isSubsetOf(folders);
	}

	@BrowserTest
	void knowsWhenItsProcessIsGoneAndEndsTheOrphans(BrowserKind kind) {
		Set<ProcessHandle> others = processes();
		Set<ProcessHandle> processes;
		try (BrowserEngine engine = kind.start()) {
			processes = processes();
			processes.removeAll(others);
			ProcessHandle.current().children().filter(processes::contains).forEach(ProcessHandle::destroyForcibly);
			assertThatIllegalStateException().isThrownBy(() -> engine.newBrowser().newTab())
				.withMessageContaining("The browser is gone");
			assertThat(engine.isOpen()).isFalse();
		}
		assertThat(processes).isNotEmpty().noneMatch(ProcessHandle::isAlive);
	}

	@Test
	void showsWhatABrowserPrintedThatDoesNotStart() throws IOException {
		Set<Path> folders = folders();
		BrowserProcess process = BrowserProcess.start(BrowserProcess.newFolder(),
				List.of("sh", "-c", "echo no display >&2; exit 1"));
		assertThatIllegalStateException()
			.isThrownBy(() -> BrowserEngine.connect(process,
					() -> URI.create(process.awaitLine(Pattern.compile("(ws:.+)"))), Map.of()))
			.withMessageContainingAll("Does not start", "it ended", "no display");
		assertThat(folders()).isSubsetOf(folders);
	}

	private static Set<ProcessHandle> processes() {
		return ProcessHandle.current().descendants().collect(Collectors.toSet());
	}

	private static Set<Path> folders() throws IOException {
		try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
			return files.filter((file) -> file.getFileName().toString().startsWith(BrowserProcess.FOLDER_PREFIX))
				.collect(Collectors.toSet());
		}
	}

}
