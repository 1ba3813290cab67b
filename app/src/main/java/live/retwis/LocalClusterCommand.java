package live.retwis;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

import live.retwis.cluster.ClusterException;
import live.retwis.cluster.ClusterOptions;
import live.retwis.cluster.ClusterProgram;
import live.retwis.cluster.DataTopology;
import live.retwis.locks.nodes.RedisStartException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/** The command that runs a whole site on this machine, to break it. */
@Command(name = "cluster",
		description = { "Runs a whole site on this machine, whose pages can break it.",
				"It has instances behind a small load balancer, data nodes with Sentinel, and five lock nodes.",
				"Its pages show that nothing is lost." },
		customSynopsis = "retwis-live cluster [--size=N] [--data=KIND] [--port=N] [--demo] [--property=value ...]",
		footer = { "", "Data and logs are in data/cluster of this directory and stay there. Ctrl-C ends everything.",
				"Settings are passed on to each instance. For study, not for other people's use." })
class LocalClusterCommand extends AbstractSiteCommand {

	@Option(names = "--size", defaultValue = "3",
			description = "How many instances, 1 to " + ClusterOptions.MOST_INSTANCES + " (default: ${DEFAULT-VALUE}).")
	private int size;

	@Option(names = "--data", defaultValue = "sentinel", paramLabel = "KIND",
			description = "single, sentinel or cluster (default: ${DEFAULT-VALUE}).")
	@SuppressWarnings("NullAway.Init")
	private DataTopology data;

	@Option(names = "--port", defaultValue = "8080", description = "The site's port (default: ${DEFAULT-VALUE}).")
	private int port;

	@Option(names = "--demo",
			description = "Also runs demo --add: fifty more users, and from about a minute later on a post each second.")
	private boolean demo;

	@Override
	public Integer call() throws InterruptedException {
		String[] settings = settings();
		if (this.size < 1 || this.size > ClusterOptions.MOST_INSTANCES) {
			err().println("--size is a number from 1 to " + ClusterOptions.MOST_INSTANCES + ".");
			return ExitCode.USAGE;
		}
		// Hides what the clients log about parts that are broken on purpose.
		LoggingSystem.get(LocalClusterCommand.class.getClassLoader())
			.setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.OFF);
		Path directory = Path.of("data", "cluster", this.data.name().toLowerCase(Locale.ROOT)).toAbsolutePath();
		try {
			ClusterProgram.start(new ClusterOptions(RetwisLive.class, this.size, this.data, this.port, directory,
					this.demo, List.of(settings)), out());
		}
		catch (ClusterException | RedisStartException ex) {
			err().println(ex.getMessage());
			return ExitCode.SOFTWARE;
		}
		out().flush();
		new CountDownLatch(1).await();
		return ExitCode.OK;
	}

}
