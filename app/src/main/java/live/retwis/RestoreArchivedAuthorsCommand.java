package live.retwis;

import java.util.Map;

import live.retwis.importing.ArchivedAuthorRestore;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

import org.springframework.context.ConfigurableApplicationContext;

/** Brings back accounts from the archive of old posts, after Redis has lost its data. */
@Command(name = "restore-from-archive",
		description = {
				"Brings back the authors of archived posts, after Redis has lost its data and there is no backup.",
				"Prints each of them with a new password, and what is missing. End all instances first." },
		customSynopsis = "retwis-live restore-from-archive [--property=value ...]")
class RestoreArchivedAuthorsCommand extends AbstractSiteCommand {

	@Override
	public Integer call() {
		Map<String, Object> defaults = Map.of("logging.level.root", "warn", "retwis.fan-out.worker", false,
				"retwis.archive.restore", true);
		try (ConfigurableApplicationContext site = ApplicationLauncher.withoutPages(defaults, settings())) {
			site.getBean(ArchivedAuthorRestore.class).run().toStream(1).forEach(this::print);
			return ExitCode.OK;
		}
	}

	/** A password that nobody reads would be lost, so the command ends then. */
	private void print(String line) {
		out().println(line);
		if (out().checkError()) {
			throw new IllegalStateException("Nobody reads what this command prints. Run it again, into a file.");
		}
	}

}
