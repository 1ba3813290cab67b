package live.retwis.bench;

import java.nio.file.Path;
import java.util.Optional;

/** The builds of the site that are measured. */
final class SiteJar {

	static final Path OF_THIS_BUILD = Path.of("target", "retwis-live.jar");

	/**
	 * Another build, {@code -Dbench.before=}, that is measured in turn with this one.
	 */
	static final Optional<Path> BEFORE = Optional.ofNullable(System.getProperty("bench.before")).map(Path::of);

	private SiteJar() {
	}

}
