package live.retwis;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Scanner;

import live.retwis.account.RegistrationMode;
import live.retwis.logging.InstanceName;
import live.retwis.moderation.AbuseReportListing;
import live.retwis.moderation.Moderation;
import live.retwis.moderation.ModerationLog;
import live.retwis.moderation.RegistrationByOperator;
import org.reactivestreams.Publisher;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Flux;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** The command by which an operator deletes posts, suspends users, and reads reports. */
@Command(name = "moderate",
		description = {
				"Deletes posts, suspends and registers users, closes registration, and shows what users have reported.",
				"Works beside the site while it is in use. Each step can be repeated." },
		synopsisSubcommandLabel = "COMMAND",
		subcommands = { ModerateCommand.DeletePost.class, ModerateCommand.DeletePosts.class,
				ModerateCommand.Suspend.class, ModerateCommand.Restore.class, ModerateCommand.Register.class,
				ModerateCommand.SetRegistration.class, ModerateCommand.Reports.class, ModerateCommand.Log.class })
class ModerateCommand {

	@Option(names = { "-h", "--help" }, usageHelp = true, description = "Tells what there is.")
	private boolean help;

	/** One thing that an operator does. It prints lines. */
	abstract static class Act extends AbstractSiteCommand {

		private static final Map<String, Object> DEFAULTS = Map.of("logging.level.root", "warn",
				"logging.level.live.retwis.locks", "error", "logging.level.live.retwis.locking.LockStartupCheck",
				"error", "retwis.fan-out.worker", false);

		@Override
		public Integer call() {
			try (ConfigurableApplicationContext site = besideSite(DEFAULTS)) {
				Flux.from(lines(site)).toStream().forEach(out()::println);
				return ExitCode.OK;
			}
		}

		abstract Publisher<String> lines(ApplicationContext site);

		/** The operator, as the log names them. */
		static String operator() {
			return System.getProperty("user.name") + "@" + InstanceName.host();
		}

	}

	/** What an operator does with one user. */
	abstract static class ActOnUser extends Act {

		@Parameters(paramLabel = "NAME", description = "The user.")
		@SuppressWarnings("NullAway.Init")
		private String name;

		@Override
		final Publisher<String> lines(ApplicationContext site) {
			return lines(site, this.name);
		}

		abstract Publisher<String> lines(ApplicationContext site, String name);

	}

	@Command(name = "delete-post", description = "Deletes a post, whoever wrote it, as its author could.",
			customSynopsis = "retwis-live moderate delete-post ID [--property=value ...]")
	static class DeletePost extends Act {

		@Parameters(paramLabel = "ID", description = "The last part of the post's address.")
		@SuppressWarnings("NullAway.Init")
		private String id;

		@Override
		Publisher<String> lines(ApplicationContext site) {
			return site.getBean(Moderation.class).deletePost(operator(), this.id);
		}

	}

	@Command(name = "delete-posts",
			description = {
					"Deletes all posts of a user, as their author could, also those in the archive. There is no",
					"way back. Suspend the user first, so that no others come.",
					"Run it again until it deletes none: posts that still wait in the log are not listed yet." },
			customSynopsis = "retwis-live moderate delete-posts NAME [--property=value ...]")
	static class DeletePosts extends ActOnUser {

		@Override
		Publisher<String> lines(ApplicationContext site, String name) {
			return site.getBean(Moderation.class).deletePosts(operator(), name);
		}

	}

	@Command(name = "suspend",
			description = { "Logs a user out everywhere, lets them log in no more, and hides them and their posts.",
					"Nothing is deleted; restore brings all of it back." },
			customSynopsis = "retwis-live moderate suspend NAME [--property=value ...]")
	static class Suspend extends ActOnUser {

		@Override
		Publisher<String> lines(ApplicationContext site, String name) {
			return site.getBean(Moderation.class).suspend(operator(), name);
		}

	}

	@Command(name = "restore", description = "Undoes suspend. The user has to log in again.",
			customSynopsis = "retwis-live moderate restore NAME [--property=value ...]")
	static class Restore extends ActOnUser {

		@Override
		Publisher<String> lines(ApplicationContext site, String name) {
			return site.getBean(Moderation.class).restore(operator(), name);
		}

	}

	@Command(name = "register",
			description = { "Registers a user, also under a reserved name, and also while registration is closed.",
					"Asks for the password; without a terminal, it is the first line of the input." },
			customSynopsis = "retwis-live moderate register NAME [--property=value ...]")
	static class Register extends ActOnUser {

		@Override
		Publisher<String> lines(ApplicationContext site, String name) {
			return site.getBean(RegistrationByOperator.class).register(operator(), name, password());
		}

		private static String password() {
			char[] typed = (System.console() != null) ? System.console().readPassword("Password: ") : null;
			Scanner input = new Scanner(System.in, StandardCharsets.UTF_8);
			return (typed != null) ? new String(typed) : input.hasNextLine() ? input.nextLine() : "";
		}

	}

	@Command(name = "registration", description = "Lets visitors register or not, within a second.",
			customSynopsis = "retwis-live moderate registration open|closed [--property=value ...]")
	static class SetRegistration extends Act {

		@Parameters(paramLabel = "open|closed", description = "Whether visitors may register.")
		@SuppressWarnings("NullAway.Init")
		private RegistrationMode mode;

		@Override
		Publisher<String> lines(ApplicationContext site) {
			return site.getBean(Moderation.class).setRegistration(operator(), this.mode);
		}

	}

	@Command(name = "reports",
			description = "Shows the posts that users have reported, with the reasons, the one reported last first.",
			customSynopsis = "retwis-live moderate reports [--property=value ...]")
	static class Reports extends Act {

		@Override
		Publisher<String> lines(ApplicationContext site) {
			return site.getBean(AbuseReportListing.class).lines();
		}

	}

	@Command(name = "log", description = "Shows what operators asked for, the last first.",
			customSynopsis = "retwis-live moderate log [--property=value ...]")
	static class Log extends Act {

		@Override
		Publisher<String> lines(ApplicationContext site) {
			return site.getBean(ModerationLog.class).lines();
		}

	}

}
