package live.retwis.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import live.retwis.background.PeriodicTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * Looks for changed files in {@code templates/} and {@code static/} and tells the
 * listeners, once two looks in a row agree: an editor empties a file before it writes it,
 * and a file that is half written is not read.
 */
@Component
@Profile("dev")
class FileChangeWatcher extends PeriodicTask {

	private static final Logger log = LoggerFactory.getLogger(FileChangeWatcher.class);

	private static final Duration PERIOD = Duration.ofMillis(250);

	private final List<Path> folders;

	private final ObjectProvider<FileChangeListener> listeners;

	private Map<Path, FileState> told;

	private Map<Path, FileState> seen;

	FileChangeWatcher(FilesProperties properties, ObjectProvider<FileChangeListener> listeners) throws IOException {
		super(PERIOD);
		Path folder = Objects.requireNonNull(properties.folder(), "retwis.files.folder is not set");
		this.folders = List.of(folder.resolve("templates"), folder.resolve("static"));
		this.listeners = listeners;
		this.told = look();
		this.seen = this.told;
	}

	@Override
	protected Mono<Void> run() {
		return Mono.<Void>fromCallable(() -> {
			check();
			return null;
		}).subscribeOn(Schedulers.boundedElastic());
	}

	void check() throws IOException {
		Map<Path, FileState> found = look();
		boolean settled = found.equals(this.seen);
		this.seen = found;
		if (settled && !found.equals(this.told)) {
			this.told = found;
			this.listeners.stream()
				.sorted(Comparator.comparing(FileChangeListener::stage))
				.forEach(FileChangeWatcher::tell);
		}
	}

	/** A mistake is logged, so that the other listeners are called too. */
	private static void tell(FileChangeListener listener) {
		try {
			listener.filesChanged();
		}
		catch (RuntimeException ex) {
			log.error("A changed file has a mistake; the site still uses the version before it. Correct the file: {}",
					ex.getMessage());
		}
	}

	private Map<Path, FileState> look() throws IOException {
		Map<Path, FileState> found = new HashMap<>();
		for (Path folder : this.folders) {
			try (Stream<Path> files = Files.walk(folder)) {
				for (Path file : files.filter(Files::isRegularFile).toList()) {
					found.put(file, new FileState(Files.getLastModifiedTime(file), Files.size(file)));
				}
			}
		}
		return found;
	}

	/** The size tells two writes within one tick of the file system's clock apart. */
	private record FileState(FileTime modified, long size) {
	}

}
