package live.retwis.archive;

import java.sql.DriverManager;
import java.sql.SQLException;

import live.retwis.locks.nodes.testing.TestPorts;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ArchiveOpenerTests {

	@Test
	void anInstanceThatServedTheFileAndHasEndedIsAwayAndNoMistakeOfTheOperator() {
		String gone = "jdbc:h2:tcp://localhost:" + TestPorts.next() + "/archive";
		assertThatThrownBy(() -> DriverManager.getConnection(gone)).isInstanceOfSatisfying(SQLException.class,
				(error) -> assertThat(ArchiveOpener.explained(new FlywayException("not migrated", error)))
					.isInstanceOf(ArchiveAwayException.class));
	}

}
