package live.retwis;

import java.util.Map;

import live.retwis.doctor.Doctor;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

import org.springframework.context.ConfigurableApplicationContext;

/** The command that checks the stored data and repairs it. */
@Command(name = "doctor",
		description = { "Checks everything that is stored, and prints a line for each broken rule.",
				"Can run while the site is in use. Writes in progress are no violation." },
		customSynopsis = "retwis-live doctor [--fix] [--wait] [--property=value ...]",
		exitCodeOnExecutionException = DataDoctorCommand.NOT_CHECKED,
		footer = { "", "Ends with 0 when every rule holds, or holds again after --fix, and with 1 when one does not.",
				"Ends with 3 when it could not check everything, for example without Redis." })
class DataDoctorCommand extends AbstractSiteCommand {

	private static final int VIOLATIONS = 1;

	/** With 2 a command ends whose options are wrong. */
	static final int NOT_CHECKED = 3;

	@Option(names = "--fix", description = "Repairs what is safe to repair. Needs a quorum of the lock nodes.")
	private boolean fix;

	@Option(names = "--wait", description = "First waits until the timelines are up to date, and helps with that work.")
	private boolean wait;

	@Override
	public Integer call() {
		Map<String, Object> defaults = Map.of("logging.level.root", "warn", "logging.level.live.retwis.locks", "error",
				"logging.level.live.retwis.live.CommitLogTailer", "error",
				"logging.level.live.retwis.guard.LockStartupCheck", "error", "retwis.fan-out.worker", this.wait);
		try (ConfigurableApplicationContext site = besideSite(defaults)) {
			// Lines are printed as they come, because an error would drop those that
			// wait.
			return site.getBean(Doctor.class)
				.examine(this.fix, this.wait, err()::println)
				.doOnNext((line) -> out().println(line.text()))
				.toStream()
				.reduce(ExitCode.OK, DataDoctorCommand::exitCode, Math::max);
		}
	}

	private static Integer exitCode(int before, Doctor.Line line) {
		return !line.sound() ? VIOLATIONS : (line.complete() || before == VIOLATIONS) ? before : NOT_CHECKED;
	}

}
