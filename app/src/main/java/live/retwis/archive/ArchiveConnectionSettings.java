package live.retwis.archive;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.ConnectionFactoryOptions.Builder;
import io.r2dbc.spi.Option;
import live.retwis.startup.EmbeddedArchiveUrl;
import live.retwis.startup.StartupException;
import org.jspecify.annotations.Nullable;

/** Where the archive is: for the site by R2DBC, for Flyway by JDBC. */
record ArchiveConnectionSettings(ArchiveProperties properties) {

	private static final String POSTGRESQL = "postgresql";

	private static final String H2 = "h2";

	private static final Option<Duration> STATEMENT_TIMEOUT = Option.valueOf("statementTimeout");

	private static final Option<Integer> PREPARED_STATEMENTS = Option.valueOf("preparedStatementCacheQueries");

	private static final Option<Boolean> KEEP_ALIVE = Option.valueOf("tcpKeepAlive");

	/**
	 * Statements that a connection to PostgreSQL keeps prepared. Those that name several
	 * posts are other ones for each number of posts, and all of them would be too many.
	 */
	private static final int MOST_PREPARED = 64;

	/** Settings of PostgreSQL for a connection, with semicolons between them. */
	private static final Option<String> SESSION = Option.valueOf("options");

	private static final String EXAMPLE = "Set it to the R2DBC address of a PostgreSQL database, for example "
			+ "r2dbc:postgresql://db.example.com:5432/retwis, or remove it to keep all posts in Redis.";

	/** The options of R2DBC that Flyway needs as well, with their names in JDBC. */
	private static final Map<String, String> TLS = Map.of("sslMode", "sslmode", "sslRootCert", "sslrootcert", "sslCert",
			"sslcert", "sslKey", "sslkey");

	/**
	 * The address for R2DBC.
	 * @param connectTimeout how long a connection may take
	 * @param longestStatement PostgreSQL breaks off statements that take longer, also
	 * when nobody waits for them any more
	 * @throws StartupException when the setting is no such address
	 */
	ConnectionFactoryOptions options(Duration connectTimeout, Duration longestStatement) {
		ConnectionFactoryOptions parsed = parsed();
		Builder options = parsed.mutate().option(ConnectionFactoryOptions.CONNECT_TIMEOUT, connectTimeout);
		if (POSTGRESQL.equals(text(parsed, ConnectionFactoryOptions.DRIVER))) {
			options.option(STATEMENT_TIMEOUT, longestStatement).option(PREPARED_STATEMENTS, MOST_PREPARED);
		}
		if (!this.properties.username().isEmpty()) {
			options.option(ConnectionFactoryOptions.USER, this.properties.username());
			options.option(ConnectionFactoryOptions.PASSWORD, this.properties.password());
		}
		else if (POSTGRESQL.equals(text(parsed, ConnectionFactoryOptions.DRIVER))) {
			throw new StartupException("retwis.archive.url names a database, but nothing names its user.",
					"Set retwis.archive.username and retwis.archive.password.");
		}
		return options.build();
	}

	/**
	 * The same for searches in PostgreSQL. Each is planned anew, with its place. The
	 * database neither compiles them nor starts processes for them: that would take
	 * longer than most searches, and help only those that read very many posts.
	 * @param longest how long a connection, and a search, may take
	 */
	ConnectionFactoryOptions forSearches(Duration longest) {
		ConnectionFactoryOptions options = options(longest, longest);
		return options.mutate()
			.option(PREPARED_STATEMENTS, 0)
			.option(SESSION,
					Stream
						.of(Objects.requireNonNullElse(text(options, SESSION), "").split(";"),
								new String[] { "jit=off", "max_parallel_workers_per_gather=0" })
						.flatMap(Stream::of)
						.filter((setting) -> !setting.isBlank())
						.collect(Collectors.joining(";")))
			.build();
	}

	/**
	 * The same for statements that may take hours. It is noticed when the database is
	 * gone meanwhile.
	 * @param connecting how long a connection may take
	 */
	ConnectionFactoryOptions forLongWork(Duration connecting) {
		return options(connecting, Duration.ZERO).mutate().option(KEEP_ALIVE, true).build();
	}

	private ConnectionFactoryOptions parsed() {
		try {
			ConnectionFactoryOptions options = ConnectionFactoryOptions.parse(this.properties.url());
			String driver = text(options, ConnectionFactoryOptions.DRIVER);
			if (!POSTGRESQL.equals(driver) && !H2.equals(driver)) {
				throw new StartupException("retwis.archive.url names the database driver '" + driver
						+ "'. The archive runs on postgresql or h2.", EXAMPLE);
			}
			if (options.hasOption(ConnectionFactoryOptions.USER)
					|| options.hasOption(ConnectionFactoryOptions.PASSWORD)) {
				throw new StartupException("retwis.archive.url has a user or a password in it.",
						"Remove them there, and set retwis.archive.username and retwis.archive.password.");
			}
			EmbeddedArchiveUrl.bindToLoopback();
			if (!ConnectionFactories.supports(options)
					|| (POSTGRESQL.equals(driver) && text(options, ConnectionFactoryOptions.DATABASE) == null)) {
				throw new StartupException("retwis.archive.url names no database.", EXAMPLE);
			}
			return options;
		}
		catch (IllegalArgumentException | IllegalStateException ex) {
			// Its message has the address, and that may have a password.
			throw new StartupException("retwis.archive.url is not an R2DBC address.", EXAMPLE);
		}
	}

	/**
	 * The address for JDBC.
	 * @param longest how long the database may take to answer, in whole seconds; zero for
	 * as long as it likes
	 */
	String jdbc(Duration longest) {
		ConnectionFactoryOptions options = parsed();
		String database = text(options, ConnectionFactoryOptions.DATABASE);
		if (H2.equals(text(options, ConnectionFactoryOptions.DRIVER))) {
			String more = text(options, SESSION);
			return "jdbc:h2:" + text(options, ConnectionFactoryOptions.PROTOCOL) + ":" + database
					+ ((more != null) ? ";" + more : "");
		}
		StringBuilder address = new StringBuilder("jdbc:postgresql://")
			.append(text(options, ConnectionFactoryOptions.HOST));
		String port = text(options, ConnectionFactoryOptions.PORT);
		if (port != null) {
			address.append(':').append(port);
		}
		address.append('/')
			.append(database)
			.append("?loginTimeout=2&tcpKeepAlive=true&socketTimeout=")
			.append(longest.toSeconds());
		if (Boolean.parseBoolean(text(options, ConnectionFactoryOptions.SSL))) {
			address.append("&ssl=true");
		}
		TLS.forEach((name, jdbc) -> {
			String value = text(options, Option.valueOf(name));
			if (value != null) {
				address.append('&').append(jdbc).append('=').append(value);
			}
		});
		return address.toString();
	}

	private static @Nullable String text(ConnectionFactoryOptions options, Option<?> option) {
		Object value = options.getValue(option);
		return (value != null) ? value.toString() : null;
	}

}
