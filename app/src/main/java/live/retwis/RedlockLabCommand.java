package live.retwis;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import live.retwis.locks.lab.LabCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/**
 * The command that plays the Redlock lab, with its own nodes and without the site.
 */
@Command(name = "lab",
		description = "Shows on real Redis nodes what Redlock does while nodes fail; lab --help tells more.",
		customSynopsis = "retwis-live lab list|show|run ...")
class RedlockLabCommand implements Callable<Integer> {

	@Unmatched
	private List<String> arguments = new ArrayList<>();

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	@Override
	public Integer call() {
		// Hides what the clients log about nodes that fail on purpose.
		LoggingSystem.get(RedlockLabCommand.class.getClassLoader())
			.setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.OFF);
		PrintWriter out = this.spec.commandLine().getOut();
		return new LabCommand(out, this.spec.commandLine().getErr()).run(this.arguments);
	}

}
