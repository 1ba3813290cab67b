package live.retwis.browser;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The processes of a browser.
 */
class BrowserEngineTests {

	@BrowserTest
	@Tag("slow")
	void leavesNoProcessAndNoFolder(BrowserKind kind) throws IOException {
		Set<Path> folders = folders();
		List<ProcessHandle> others = children();
		List<ProcessHandle> processes;
		try (BrowserEngine engine = kind.start(); Browser browser = engine.newBrowser()) {
			browser.newTab().open("about:blank");
			assertThat(engine.isOpen()).isTrue();
			processes = processesBut(others);
		}
		assertThat(processes).hasSizeGreaterThan(2).noneMatch(ProcessHandle::isAlive);
		assertThat(folders()).isSubsetOf(folders);
	}

	@BrowserTest
	@Tag("slow")
	@Tag("long")
	void noticesThatItsProcessHasEndedAndEndsTheChildren(BrowserKind kind) {
		List<ProcessHandle> others = children();
		List<ProcessHandle> processes;
		try (BrowserEngine engine = kind.start()) {
			processes = processesBut(others);
			children().stream().filter(processes::contains).forEach(ProcessHandle::destroyForcibly);
			assertThatIllegalStateException().isThrownBy(() -> engine.newBrowser().newTab())
				.withMessageContaining("The browser is gone");
			Awaitility.await("its end").atMost(Duration.ofSeconds(10)).until(() -> !engine.isOpen());
		}
		assertThat(processes).isNotEmpty().noneMatch(ProcessHandle::isAlive);
	}

	@Test
	void showsTheOutputOfABrowserThatDoesNotStart() throws IOException {
		Set<Path> folders = folders();
		BrowserProcess process = BrowserProcess.start(BrowserProcess.newFolder(),
				List.of("sh", "-c", "echo no display >&2; exit 1"));
		assertThatIllegalStateException()
			.isThrownBy(() -> BrowserEngine.connect(process,
					() -> URI.create(process.awaitLine(Pattern.compile("(ws:.+)"))), Map.of()))
			.withMessageContainingAll("Does not start", "it ended", "no display");
		assertThat(folders()).isSubsetOf(folders);
	}

	private static List<ProcessHandle> children() {
		return ProcessHandle.current().children().toList();
	}

	/**
	 * The browser processes that are not in the list. The browser that tests share has
	 * processes of its own.
	 */
	private static List<ProcessHandle> processesBut(List<ProcessHandle> others) {
		return children().stream()
			.filter((child) -> !others.contains(child))
			.flatMap((child) -> Stream.concat(Stream.of(child), child.descendants()))
			.toList();
	}

	private static Set<Path> folders() throws IOException {
		try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
			return files.filter((file) -> file.getFileName().toString().startsWith(BrowserProcess.FOLDER_PREFIX))
				.collect(Collectors.toSet());
		}
	}

}
