package live.retwis.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;

/**
 * Runs statements as an administrator of a PostgreSQL server, each call on a connection
 * of its own.
 */
final class SqlConsole {

	/** Statements are sent as they are, so one call may have several. */
	private static final String OPTIONS = "?user=retwis&preferQueryMode=simple&connectTimeout=10&socketTimeout=60";

	private SqlConsole() {
	}

	/**
	 * What the statements answer: a line for each row, its columns divided by {@code |}.
	 * @throws IllegalStateException when the server is away or refuses a statement
	 */
	static List<String> run(String host, int port, String statements) {
		try (Connection connection = DriverManager
			.getConnection("jdbc:postgresql://" + host + ":" + port + "/postgres" + OPTIONS);
				Statement statement = connection.createStatement()) {
			List<String> lines = new ArrayList<>();
			boolean rows = statement.execute(statements);
			while (rows || statement.getUpdateCount() >= 0) {
				if (rows) {
					addRows(statement.getResultSet(), lines);
				}
				rows = statement.getMoreResults();
			}
			return lines.stream().flatMap(String::lines).filter((line) -> !line.isBlank()).toList();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(statements + " failed: " + ex.getMessage(), ex);
		}
	}

	private static void addRows(ResultSet rows, List<String> lines) throws SQLException {
		while (rows.next()) {
			StringJoiner line = new StringJoiner("|");
			for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
				line.add(Objects.requireNonNullElse(rows.getString(column), ""));
			}
			lines.add(line.toString());
		}
	}

}
