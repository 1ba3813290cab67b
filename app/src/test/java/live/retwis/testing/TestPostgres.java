package live.retwis.testing;

import java.util.List;

/**
 * A PostgreSQL server with an empty database: a container where a Docker engine answers,
 * else a process of this machine. Tests that stop a server, or send it signals, start
 * {@link PostgresServer} itself.
 */
public interface TestPostgres extends AutoCloseable {

	/** Whether one can be started. If not, the log has said so. */
	static boolean isPossible() {
		return PostgresSource.isPossible();
	}

	/** Starts one. The caller closes it. */
	static TestPostgres start() {
		return PostgresSource.start();
	}

	/** Settings with which an instance uses the database. */
	List<String> settings();

	/**
	 * Runs statements as an administrator.
	 * @return a line for each row, its columns divided by {@code |}
	 */
	List<String> sql(String statements);

	/** What the server has logged. */
	String log();

	@Override
	void close();

}
