package live.retwis;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * What all commands have in common: {@code --help}, and settings of the form {@code
 * --property=value}.
 */
abstract class AbstractSiteCommand implements Callable<Integer> {

	private static final Set<String> FLAGS = Set.of("--debug", "--trace");

	@Option(names = { "-h", "--help" }, usageHelp = true, description = "Tells what there is.")
	private boolean help;

	@Unmatched
	private List<String> arguments = new ArrayList<>();

	@Spec
	@SuppressWarnings("NullAway.Init")
	private CommandSpec spec;

	/** The settings among the arguments. Any other argument is an error. */
	String[] settings() {
		for (String argument : this.arguments) {
			if (!isSetting(argument)) {
				throw new ParameterException(this.spec.commandLine(), "'" + argument
						+ "' is neither an option nor a setting; a setting looks like --property=value.");
			}
		}
		return this.arguments.toArray(String[]::new);
	}

	/**
	 * Whether an argument is a setting. Spring Boot also has two flags without a value.
	 */
	private static boolean isSetting(String argument) {
		return argument.startsWith("--")
				&& (argument.contains("=") || argument.contains(".") || FLAGS.contains(argument));
	}

	/**
	 * Starts everything except the web server, to work on the data of a site. Says first
	 * where that data is.
	 * @param defaults values of settings that are set nowhere else
	 */
	ConfigurableApplicationContext besideSite(Map<String, Object> defaults) {
		ConfigurableApplicationContext site = ApplicationLauncher.besideSite(defaults, settings());
		err().println("Data node: " + DataNodeLocation.of(site.getBean(DataRedisConnectionDetails.class)));
		return site;
	}

	PrintWriter out() {
		return this.spec.commandLine().getOut();
	}

	PrintWriter err() {
		return this.spec.commandLine().getErr();
	}

}
