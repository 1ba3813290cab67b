package live.retwis.testing;

import java.util.function.Supplier;

import live.retwis.locks.nodes.testing.DockerEngine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses once for this test run how PostgreSQL is started, and logs it. */
final class PostgresSource {

	private static final Logger log = LoggerFactory.getLogger(PostgresSource.class);

	private static final @Nullable Supplier<TestPostgres> CHOSEN = choose();

	private PostgresSource() {
	}

	static boolean isPossible() {
		return CHOSEN != null;
	}

	static TestPostgres start() {
		if (CHOSEN == null) {
			throw new IllegalStateException("There is no PostgreSQL for tests");
		}
		return CHOSEN.get();
	}

	/**
	 * An engine alone is not enough: the image is needed, and a port that can be reached.
	 */
	private static @Nullable Supplier<TestPostgres> choose() {
		if (!DockerEngine.answers()) {
			return process("no Docker engine answers");
		}
		try {
			ContainerPostgres.start().close();
			log.info("PostgreSQL for tests: containers of {} (a Docker engine answers)", ContainerPostgres.IMAGE);
			return ContainerPostgres::start;
		}
		catch (RuntimeException ex) {
			return process("no container of " + ContainerPostgres.IMAGE + " starts: " + ex);
		}
	}

	/** Uses a process, unless {@code -Dretwis.docker=required} asks for containers. */
	private static @Nullable Supplier<TestPostgres> process(String reason) {
		if ("required".equals(System.getProperty("retwis.docker"))) {
			throw new IllegalStateException("Containers are required, but " + reason);
		}
		if (!PostgresServer.isInstalled()) {
			log.info("PostgreSQL for tests: none is installed, so the archive is tested on H2 alone ({})", reason);
			return null;
		}
		log.info("PostgreSQL for tests: processes of this machine ({})", reason);
		return PostgresServer::start;
	}

}
