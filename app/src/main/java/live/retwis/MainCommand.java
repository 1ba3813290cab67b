package live.retwis;

import java.util.Map;

import live.retwis.demo.Demo;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/**
 * The commands of the jar.
 */
@Command(name = "retwis-live", description = "A live, reactive microblog on Redis.",
		customSynopsis = "retwis-live [COMMAND] [--property=value ...]",
		footer = { "", "Without a command it serves the site.",
				"Settings are Spring properties, for example --server.port=8082; app/src/docs/operate.md has all." },
		subcommands = { MainCommand.ServeCommand.class, MainCommand.DemoCommand.class, DataDoctorCommand.class,
				LocalClusterCommand.class, ImportRetwisCommand.class, ModerateCommand.class, RedlockLabCommand.class,
				RestoreArchivedAuthorsCommand.class })
class MainCommand extends AbstractSiteCommand {

	@Override
	public Integer call() {
		ApplicationLauncher.serve(settings());
		return ExitCode.OK;
	}

	@Command(name = "serve", description = "Serves the site (also without a command).",
			customSynopsis = "retwis-live serve [--property=value ...]")
	static class ServeCommand extends AbstractSiteCommand {

		@Override
		public Integer call() {
			ApplicationLauncher.serve(settings());
			return ExitCode.OK;
		}

	}

	@Command(name = "demo",
			description = {
					"Fills an empty store with users, follows and posts, and keeps posting until it is stopped.",
					"Prints the password of these users first." },
			customSynopsis = "retwis-live demo [--add] [--seed=N] [--property=value ...]")
	static class DemoCommand extends AbstractSiteCommand {

		@Option(names = "--add",
				description = "Fills a store that has other users, too. If the demo's users are there, they only post on.")
		private boolean add;

		@Option(names = "--seed", description = "Chooses who follows whom and who says what.")
		private long seed = System.nanoTime();

		@Override
		public Integer call() {
			out().println("Seed " + this.seed);
			ApplicationLauncher.withoutPages(Map.of(), settings())
				.getBean(Demo.class)
				.run(this.add, this.seed)
				.toStream()
				.forEach(out()::println);
			return ExitCode.OK;
		}

	}

}
