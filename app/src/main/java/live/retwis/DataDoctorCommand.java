package live.retwis;

import java.util.Map;

import live.retwis.doctor.Doctor;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.context.ConfigurableApplicationContext;

/** The command that checks the stored data and repairs it. */
@Command(name = "doctor",
		description = { "Checks everything that is stored, and prints a line for each broken rule.",
				"Can run while the site is in use. Writes in progress are no violation." },
		customSynopsis = "retwis-live doctor [--fix] [--wait] [--property=value ...]",
		exitCodeOnExecutionException = DataDoctorCommand.NOT_CHECKED,
		footer = { "", "Ends with 0 when every rule holds, or holds again after --fix, and with 1 when one does not.",
				"Ends with 3 when it could not check everything, for example without Redis, whatever it found." })
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
				"logging.level.live.retwis.locking.LockStartupCheck", "error", "retwis.fan-out.worker", this.wait);
		// A reader of the lines may pause, and must not hold up an event loop by that.
		Scheduler printing = Schedulers.newBoundedElastic(1, Integer.MAX_VALUE, "doctor-lines");
		try (ConfigurableApplicationContext site = besideSite(defaults)) {
			return site.getBean(Doctor.class)
				.examine(this.fix, this.wait, (progress) -> printing.schedule(() -> err().println(progress)))
				.publishOn(printing, 1)
				.doOnNext((line) -> out().println(line.text()))
				.map(DataDoctorCommand::exitCode)
				.toStream()
				.reduce(ExitCode.OK, Math::max);
		}
		finally {
			printing.dispose();
		}
	}

	private static int exitCode(Doctor.Line line) {
		return !line.complete() ? NOT_CHECKED : line.sound() ? ExitCode.OK : VIOLATIONS;
	}

}
