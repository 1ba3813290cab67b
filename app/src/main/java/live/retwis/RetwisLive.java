package live.retwis;

import live.retwis.redis.RedisErrorClassifier;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.data.redis.autoconfigure.observation.LettuceObservationAutoConfiguration;
import org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration;

/**
 * The program. Some auto-configuration is excluded. The site has its own sessions, so it
 * needs neither the user store nor the filter chain of Spring Security. The Redis client
 * does not measure each command, because that costs more than sending it; Redis itself
 * has these figures ({@code INFO commandstats}).
 */
@SpringBootApplication(
		exclude = { ReactiveUserDetailsServiceAutoConfiguration.class, ReactiveWebSecurityAutoConfiguration.class,
				ReactiveManagementWebSecurityAutoConfiguration.class, LettuceObservationAutoConfiguration.class })
@ConfigurationPropertiesScan
public class RetwisLive {

	/** Runs a command. Without a command it serves the site. */
	public static void main(String[] args) {
		int exitCode = commandLine().execute(args);
		if (exitCode != CommandLine.ExitCode.OK) {
			System.exit(exitCode);
		}
	}

	static CommandLine commandLine() {
		return new CommandLine(new MainCommand()).setCaseInsensitiveEnumValuesAllowed(true)
			.setExecutionExceptionHandler(RetwisLive::failed);
	}

	/** If the instance did not start, the log has explained the error already. */
	private static int failed(Exception error, CommandLine command, ParseResult arguments) {
		if (!(error instanceof ApplicationLauncher.NotStartedException)) {
			command.getErr().println(RedisErrorClassifier.reasonText(error));
		}
		return command.getCommandSpec().exitCodeOnExecutionException();
	}

}
