package live.retwis;

import java.util.Map;

import live.retwis.importing.RetwisImport;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

import org.springframework.context.ConfigurableApplicationContext;

/** The command that imports the data of the PHP Retwis. */
@Command(name = "import-retwis",
		description = { "Imports users, follows and posts of the PHP Retwis, in its layouts of 2011 and of 2014.",
				"Says what it skips or renames and why. If it broke off, run it again." },
		customSynopsis = "retwis-live import-retwis --from=redis://[:password@]host:port/db [--property=value ...]",
		footer = { "", "Writes nothing to that Redis. Users log in with their old names and passwords.",
				"app/src/docs/operate.md tells what becomes of odd data." })
class ImportRetwisCommand extends AbstractSiteCommand {

	@Option(names = "--from", required = true, paramLabel = "ADDRESS",
			description = "The Redis with the data of Retwis: redis://[:password@]host:port/db")
	@SuppressWarnings("NullAway.Init")
	private String from;

	@Override
	public Integer call() {
		Map<String, Object> defaults = Map.of("logging.level.root", "warn", "retwis.fan-out.worker", false);
		try (ConfigurableApplicationContext site = ApplicationLauncher.withoutPages(defaults, settings())) {
			site.getBean(RetwisImport.class).run(this.from).toStream().forEach(out()::println);
			return ExitCode.OK;
		}
	}

}
