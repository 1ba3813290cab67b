package live.retwis;

import live.retwis.redis.Availability;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.data.redis.autoconfigure.observation.LettuceObservationAutoConfiguration;
import org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration;

/**
 * The program. There is no user store and no filter chain of Spring Security: who is
 * signed in is the site's own affair. The Redis client does not time each command: that
 * costs more than sending it, and Redis itself tells ({@code INFO commandstats}).
 */
@SpringBootApplication(
		exclude = { ReactiveUserDetailsServiceAutoConfiguration.class, ReactiveWebSecurityAutoConfiguration.class,
				ReactiveManagementWebSecurityAutoConfiguration.class, LettuceObservationAutoConfiguration.class })
@ConfigurationPropertiesScan
public class RetwisLive {

	/** Runs a command; without one, serves the site. */
	public static void main(String[] args) {
		int exitCode = commandLine().execute(args);
		if (exitCode != CommandLine.ExitCode.OK) {
			System.exit(exitCode);
		}
	}

	static CommandLine commandLine() {
		return new CommandLine(new MainCommand()).setExecutionExceptionHandler(RetwisLive::failed);
	}

	/** A start that failed has been explained in the log already. */
	private static int failed(Exception error, CommandLine command, ParseResult arguments) {
		if (!(error instanceof Instance.NotStarted)) {
			command.getErr().println(Availability.reason(error).getMessage());
		}
		return CommandLine.ExitCode.SOFTWARE;
	}

}
