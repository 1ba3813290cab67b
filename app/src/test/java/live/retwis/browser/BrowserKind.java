package live.retwis.browser;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The browsers that the site is tested in. They are found on the {@code PATH}, and never
 * downloaded.
 */
enum BrowserKind {

	CHROMIUM("Chromium", List.of("chromium", "chromium-browser", "google-chrome"), List.of("chromedriver")),

	FIREFOX("Firefox", List.of("firefox-esr", "firefox"), List.of());

	private static final Pattern PATH_SEPARATOR = Pattern.compile(Pattern.quote(File.pathSeparator));

	private final String title;

	private final List<String> browsers;

	private final List<String> drivers;

	BrowserKind(String title, List<String> browsers, List<String> drivers) {
		this.title = title;
		this.browsers = browsers;
		this.drivers = drivers;
	}

	/** Whether all its programs are installed. */
	boolean available() {
		return missing().isEmpty();
	}

	/** The programs that are not on the {@code PATH}, for a message. */
	String missing() {
		return Stream.of(this.browsers, this.drivers)
			.filter((names) -> !names.isEmpty() && find(names).isEmpty())
			.map((names) -> String.join(" or ", names))
			.reduce((one, other) -> one + " and " + other)
			.orElse("");
	}

	/** Starts a process with a new profile. */
	BrowserEngine start() {
		return switch (this) {
			case CHROMIUM -> Chromium.start(executable(this.browsers), executable(this.drivers));
			case FIREFOX -> Firefox.start(executable(this.browsers));
		};
	}

	private static Path executable(List<String> names) {
		return find(names).orElseThrow(() -> new IllegalStateException("Not on the PATH: " + names));
	}

	private static Optional<Path> find(List<String> names) {
		String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
		return names.stream()
			.flatMap((name) -> PATH_SEPARATOR.splitAsStream(path).map((folder) -> Path.of(folder, name)))
			.filter(Files::isExecutable)
			.findFirst();
	}

	@Override
	public String toString() {
		return this.title;
	}

}
