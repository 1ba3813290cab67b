package live.retwis;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.LockServers;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the command of the jar in this process, beside an instance that serves.
 */
@Timeout(180)
@ExtendWith(RedisExtension.class)
class ModerateCommandTests {

	private static final String OPERATOR = System.getProperty("user.name") + "@";

	private final TestRedis redis;

	private final LockServers locks = new LockServers(3);

	private String out = "";

	private String err = "";

	ModerateCommandTests(@OwnRedis TestRedis redis) {
		this.redis = redis;
	}

	@AfterEach
	void stop() {
		this.locks.close();
	}

	private int run(String... act) {
		List<String> arguments = new ArrayList<>(List.of("moderate"));
		arguments.addAll(List.of(act));
		arguments.addAll(List.of("--retwis.embedded=false", "--spring.data.redis.host=" + this.redis.host(),
				"--spring.data.redis.port=" + this.redis.port(), this.locks.setting()));
		StringWriter printed = new StringWriter();
		StringWriter errors = new StringWriter();
		CommandLine command = RetwisLive.commandLine();
		command.setOut(new PrintWriter(printed)).setErr(new PrintWriter(errors));
		int code = command.execute(arguments.toArray(String[]::new));
		this.out = printed.toString();
		this.err = errors.toString();
		return code;
	}

	@Test
	@Tag("slow")
	void aSuspendedUserIsOutAtOnceAndBackWhenRestored() {
		try (Site site = Site.start(this.redis, this.locks.setting())) {
			Visitor alice = Visitor.registered(site);
			String post = alice.post("hidden for a while");
			try (EventStream home = alice.open(alice.get("/home").live())) {
				assertThat(run("suspend", alice.name())).isZero();
				assertThat(this.out).isEqualTo("@" + alice.name() + " is suspended.\n");
				home.awaitEnd();
			}
			assertThat(alice.isSignedIn()).isFalse();
			assertThat(Visitor.of(site).get("/timeline").postIds()).isEmpty();
			assertThat(run("restore", alice.name())).isZero();
			assertThat(this.out).isEqualTo("@" + alice.name() + " is restored.\n");
			assertThat(Visitor.signedIn(site, alice.name()).isSignedIn()).isTrue();
			Awaitility.await().until(() -> Visitor.of(site).get("/timeline").postIds().contains(post));
			assertThat(run("log")).isZero();
			assertThat(this.out.lines().map((line) -> line.replaceFirst("^\\S+  ", "").replaceFirst("@\\S+", "@")))
				.containsExactly(OPERATOR + " restore " + alice.name(), OPERATOR + " suspend " + alice.name());
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aReportedPostIsListedUntilItIsDeleted() {
		try (Site site = Site.start(this.redis, this.locks.setting())) {
			Visitor author = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			String post = author.post("unwanted");
			reader.get("/posts/" + post + "/report");
			reader.submit("/posts/" + post + "/report", "reason", "advertising");
			assertThat(run("reports")).isZero();
			assertThat(this.out)
				.matches(post + " by @" + author.name() + ": 1 report\n  \\S+Z  @" + reader.name() + ": advertising\n");
			try (EventStream open = reader.open("/live/public")) {
				open.await((event) -> event.name().equals("position"));
				assertThat(run("delete-post", post)).isZero();
				assertThat(this.out).isEqualTo("Post " + post + " is deleted.\n");
				open.await((event) -> event.name().equals("delete") && event.data().equals(post));
			}
			assertThat(author.get("/posts/" + post).status()).isEqualTo(404);
			assertThat(run("delete-post", post)).isZero();
			assertThat(this.out).isEqualTo("Post " + post + " was deleted before.\n");
			assertThat(run("reports")).isZero();
			assertThat(this.out).isEqualTo("No post is reported.\n");
		}
	}

	@Test
	@Tag("slow")
	void allPostsOfAUserAreDeletedAtOnce() {
		try (Site site = Site.start(this.redis, this.locks.setting())) {
			Visitor spammer = Visitor.registered(site);
			Visitor other = Visitor.registered(site);
			List<String> posts = IntStream.range(0, 5).mapToObj((i) -> spammer.post("spam " + i)).toList();
			String kept = other.post("stays");
			FanOutWait.settle(site);
			assertThat(run("delete-posts", spammer.name())).isZero();
			assertThat(this.out).isEqualTo("Posts of @" + spammer.name() + " that are deleted: 5.\n");
			assertThat(posts).allSatisfy((post) -> assertThat(other.get("/posts/" + post).status()).isEqualTo(404));
			assertThat(other.get("/posts/" + kept).status()).isEqualTo(200);
			FanOutWait.settle(site);
			assertThat(site.redis().exists(Keys.postsOf(spammer.id()))).isZero();
			assertThat(run("delete-posts", spammer.name())).isZero();
			assertThat(this.out).endsWith("deleted: 0.\n");
			assertThat(run("delete-posts", "nobody_here")).isOne();
		}
	}

	@Test
	@Tag("slow")
	void registrationIsClosedAndOpenedOnARunningInstance() {
		try (Site site = Site.start(this.redis, this.locks.setting())) {
			Visitor stranger = Visitor.of(site);
			assertThat(stranger.get("/register").status()).isEqualTo(200);
			assertThat(run("registration", "closed")).isZero();
			assertThat(this.out).isEqualTo("Registration is closed.\n");
			Awaitility.await().until(() -> stranger.get("/register").status() == 403);
			Answer refused = stranger.register("late", Visitor.PASSWORD);
			assertThat(refused.status()).isEqualTo(403);
			assertThat(refused.body()).contains("Registration is closed.");
			assertThat(run("registration", "open")).isZero();
			Awaitility.await().until(() -> stranger.get("/register").status() == 200);
			assertThat(stranger.register("late", Visitor.PASSWORD).status()).isEqualTo(303);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void anOperatorRegistersANameThatVisitorsCannotHave() {
		InputStream terminal = System.in;
		try (Site site = Site.start(this.redis, this.locks.setting())) {
			Visitor stranger = Visitor.of(site);
			stranger.get("/register");
			assertThat(stranger.register("Support", Visitor.PASSWORD).status()).isEqualTo(409);
			System.setIn(new ByteArrayInputStream((Visitor.PASSWORD + "\n").getBytes(StandardCharsets.UTF_8)));
			assertThat(run("register", "Support")).isZero();
			assertThat(this.out).isEqualTo("@Support is registered.\n");
			assertThat(Visitor.signedIn(site, "support").isSignedIn()).isTrue();
			System.setIn(new ByteArrayInputStream("x\n".getBytes(StandardCharsets.UTF_8)));
			assertThat(run("register", "settings")).isOne();
			assertThat(this.err).contains("characters");
			assertThat(run("register", "no name")).isOne();
		}
		finally {
			System.setIn(terminal);
		}
	}

	@Test
	void whatDoesNotExistIsAnError() {
		assertThat(run("suspend", "nobody")).isOne();
		assertThat(this.err).endsWith("\nThere is no user nobody.\n");
		assertThat(run("delete-post", "0AAAAAAAAAAAA")).isOne();
		assertThat(this.err).endsWith("\nThere is no post 0AAAAAAAAAAAA.\n");
	}

	@Test
	@Tag("slow")
	void withoutAQuorumNobodyIsSuspended() {
		try (Site site = Site.start(this.redis, this.locks.setting())) {
			Visitor alice = Visitor.registered(site);
			this.locks.killMajority();
			assertThat(run("suspend", alice.name())).isOne();
			assertThat(this.err).contains("Run the command again.");
			assertThat(alice.isSignedIn()).isTrue();
		}
	}

	/** The list of commands shows only the first line of each description. */
	@Test
	void theListOfCommandsHasWholeSentences() {
		RetwisLive.commandLine()
			.getSubcommands()
			.forEach((name, command) -> assertThat(command.getCommandSpec().usageMessage().description()[0]).as(name)
				.endsWith("."));
	}

	@Test
	void aMistypedArgumentIsRefusedAndHelpExplains() {
		for (String[] wrong : new String[][] { { "moderate" }, { "moderate", "ban", "alice" },
				{ "moderate", "suspend" }, { "moderate", "registration", "ajar" },
				{ "moderate", "suspend", "alice", "bob" } }) {
			CommandLine command = RetwisLive.commandLine().setErr(new PrintWriter(new StringWriter()));
			assertThat(command.execute(wrong)).as(String.join(" ", wrong)).isEqualTo(2);
		}
		StringWriter help = new StringWriter();
		CommandLine command = RetwisLive.commandLine().setOut(new PrintWriter(help));
		assertThat(command.execute("moderate", "--help")).isZero();
		assertThat(help.toString()).contains("delete-post", "delete-posts", "suspend", "restore", "registration",
				"reports", "log");
		assertThat(command.execute("moderate", "suspend", "--help")).isZero();
		assertThat(help.toString()).contains("moderate suspend NAME");
	}

}
