package live.retwis.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Keeps the latest reports that people have shared, one file for each, so that they are
 * still there when the program was started again.
 */
final class SharedBreakReportStore {

	/** Most reports. The oldest one goes first. */
	static final int MOST = 20;

	/** Most reports of one person, who cannot push out those of all others. */
	static final int MOST_OF_ONE = 3;

	/** Most characters of a report. */
	static final int LONGEST = 64_000;

	private static final int ID_LENGTH = 10;

	private static final Pattern ID = Pattern.compile("[0-9a-z]{" + ID_LENGTH + "}");

	private static final String ENDING = ".json";

	private static final JsonMapper JSON = JsonMapper.shared();

	private static final SecureRandom RANDOM = new SecureRandom();

	private final Path directory;

	/**
	 * Uses the reports in a directory.
	 * @param directory made with the first report
	 */
	SharedBreakReportStore(Path directory) {
		this.directory = directory;
	}

	/**
	 * Keeps a report.
	 * @return its id, which cannot be guessed
	 * @throws UncheckedIOException when it cannot be stored
	 */
	synchronized String keep(String json) {
		String id = RANDOM.ints(ID_LENGTH, 0, Character.MAX_RADIX)
			.mapToObj((digit) -> Integer.toString(digit, Character.MAX_RADIX))
			.reduce("", String::concat);
		try {
			Files.createDirectories(this.directory);
			// A file that is half written has another ending, and is never read.
			Path written = Files.writeString(this.directory.resolve(id), json);
			Files.move(written, file(id), StandardCopyOption.ATOMIC_MOVE);
			removeOldest();
			return id;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The report cannot be stored", ex);
		}
	}

	/**
	 * The report with this id; empty for none.
	 * @throws UncheckedIOException when it cannot be read
	 */
	synchronized Optional<String> find(String id) {
		try {
			return ID.matcher(id).matches() ? Optional.of(Files.readString(file(id))) : Optional.empty();
		}
		catch (NoSuchFileException ex) {
			return Optional.empty();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The report cannot be read", ex);
		}
	}

	private Path file(String id) {
		return this.directory.resolve(id + ENDING);
	}

	private void removeOldest() throws IOException {
		try (Stream<Path> files = Files.list(this.directory)) {
			List<Path> newestFirst = files.sorted(Comparator.comparing(SharedBreakReportStore::written).reversed())
				.toList();
			Map<String, Integer> ofEach = new HashMap<>();
			int kept = 0;
			for (Path file : newestFirst) {
				if (kept < MOST && ofEach.merge(by(file), 1, Integer::sum) <= MOST_OF_ONE) {
					kept++;
				}
				else {
					Files.deleteIfExists(file);
				}
			}
		}
	}

	/** Who has shared a report. All that cannot be read are of one person. */
	private static String by(Path file) throws IOException {
		try {
			return JSON.readTree(Files.readString(file)).path("by").asString("");
		}
		catch (JacksonException | CharacterCodingException ex) {
			return "";
		}
	}

	private static FileTime written(Path file) {
		try {
			return Files.getLastModifiedTime(file);
		}
		catch (IOException ex) {
			return FileTime.fromMillis(0);
		}
	}

}
