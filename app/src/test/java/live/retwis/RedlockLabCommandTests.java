package live.retwis;

import java.io.PrintWriter;
import java.io.StringWriter;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The lab as a command of the jar. The module of the lab tests the runs themselves.
 */
class RedlockLabCommandTests {

	private final StringWriter out = new StringWriter();

	private final StringWriter err = new StringWriter();

	private int run(String... arguments) {
		CommandLine command = RetwisLive.commandLine();
		command.setOut(new PrintWriter(this.out)).setErr(new PrintWriter(this.err));
		return command.execute(arguments);
	}

	@Test
	void namesTheScenarios() {
		assertThat(run("lab", "list")).isZero();
		assertThat(this.out.toString()).contains("8a   held-reply");
	}

	@Test
	void helpExplainsTheCommand() {
		assertThat(run("lab", "--help")).isZero();
		assertThat(this.out.toString()).startsWith("Usage: lab list");
	}

	@Test
	void listsTheScenariosWhenTheNameIsUnknown() {
		assertThat(run("lab", "run", "99")).isEqualTo(2);
		assertThat(this.err.toString()).contains("There is no scenario '99'", "8a");
	}

}
