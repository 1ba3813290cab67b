package live.retwis.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A file that an editor is just writing is not read before it is whole.
 */
class HalfWrittenFileTests {

	private final List<String> read = new ArrayList<>();

	@SuppressWarnings("NullAway.Init")
	private Path stylesheet;

	@SuppressWarnings("NullAway.Init")
	private FileChangeWatcher watcher;

	@BeforeEach
	void watch(@TempDir Path folder) throws IOException {
		Files.createDirectories(folder.resolve("templates"));
		this.stylesheet = Files.createDirectories(folder.resolve("static")).resolve("site.css");
		Files.writeString(this.stylesheet, "before");
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("listener", (FileChangeListener) this::readStylesheet);
		this.watcher = new FileChangeWatcher(new FilesProperties(folder),
				beans.getBeanProvider(FileChangeListener.class));
	}

	private void readStylesheet() {
		try {
			this.read.add(Files.readString(this.stylesheet));
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void theWholeFileIsReadAfterAnEmptyOneOfTheSameTime() throws IOException {
		Files.writeString(this.stylesheet, "");
		FileTime emptied = Files.getLastModifiedTime(this.stylesheet);
		this.watcher.check();
		Files.writeString(this.stylesheet, "after");
		Files.setLastModifiedTime(this.stylesheet, emptied);
		this.watcher.check();
		this.watcher.check();
		assertThat(this.read).containsExactly("after");
	}

	@Test
	void aFileThatIsWholeIsReadOnce() throws IOException {
		this.watcher.check();
		Files.writeString(this.stylesheet, "after");
		this.watcher.check();
		this.watcher.check();
		this.watcher.check();
		assertThat(this.read).containsExactly("after");
	}

}
