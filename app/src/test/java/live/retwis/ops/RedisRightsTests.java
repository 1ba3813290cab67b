package live.retwis.ops;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.testing.RedisRelease;
import live.retwis.testing.Rights;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.assertj.core.api.SoftAssertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * The site's users of Redis have the rights that the site needs, and no others.
 */
@Timeout(180)
@ExtendWith(OutputCaptureExtension.class)
class RedisRightsTests {

	/**
	 * Sent at each connect: before the user is known, or to tell the client's name. It
	 * does no harm if they are refused.
	 */
	private static final Set<String> OF_CONNECTING = Set.of("auth", "hello", "client", "client|setinfo");

	/** Sent by the test itself. */
	private static final Set<String> OF_THE_TEST = Set.of("config|resetstat", "acl|log", "acl|setuser", "info");

	/** Sent by health checks, and by clients that check a connection. */
	private static final Set<String> OF_HEALTH = Set.of("info", "ping");

	/**
	 * Sent by a client that finds the nodes of a cluster, as seen in the statistics of a
	 * cluster. {@code ComposeDataChaos} runs the site on a cluster with only these
	 * rights.
	 */
	private static final Set<String> OF_CLUSTER = Set.of("asking", "cluster|info", "cluster|myid", "cluster|nodes");

	/**
	 * Redisson finds out whether a node belongs to a cluster with a script that reads
	 * {@code test1} and {@code test2}. If this is refused, Redisson takes the node for a
	 * single server.
	 */
	private static final String REDISSON_PROBE = "get";

	private static List<String> data(GuardedServer server) {
		return List.of("--spring.data.redis.host=127.0.0.1", "--spring.data.redis.port=" + server.port(),
				"--spring.data.redis.username=" + Rights.USER, "--spring.data.redis.password=" + Rights.PASSWORD);
	}

	private static String locks(List<GuardedServer> servers) {
		return "--retwis.locks.nodes=" + servers.stream()
			.map((server) -> "redis://" + Rights.USER + ":" + Rights.PASSWORD + "@127.0.0.1:" + server.port())
			.collect(Collectors.joining(","));
	}

	private static List<GuardedServer> lockServers(RedisRelease release, List<String> rules) {
		return IntStream.range(0, 3).mapToObj((i) -> GuardedServer.of(release.start(), rules)).toList();
	}

	private static GuardedServer server(RedisRelease release, List<String> rules) {
		return GuardedServer.of(release.start(), rules);
	}

	@Test
	@Tag("slow")
	void theListsAllowExactlyTheCommandsOfTheSite(@TempDir Path directory) {
		List<String> all = List.of("~*", "&*", "+@all");
		List<GuardedServer> locks = lockServers(RedisRelease.OF_THIS_MACHINE, all);
		try (GuardedServer data = server(RedisRelease.OF_THIS_MACHINE, all)) {
			assumeThat(data.admin().info("server")).as("Redis 7 counts subcommands")
				.doesNotContain("redis_version:6.", "redis_version:5.");
			new WholeSiteTour(data(data), locks(locks), directory).make();
			Set<String> ofLocks = new TreeSet<>(CommandsInSources.lockNodes());
			locks.forEach((node) -> ofLocks.addAll(node.commands()));
			ofLocks.remove(REDISSON_PROBE);
			Set<String> ofData = new TreeSet<>(CommandsInSources.dataNode());
			ofData.addAll(data.commands());
			ofData.addAll(OF_CLUSTER);
			SoftAssertions.assertSoftly((softly) -> {
				compare(softly, Rights.DATA, ofData);
				compare(softly, Rights.LOCKS, ofLocks);
			});
		}
		finally {
			locks.forEach(GuardedServer::close);
		}
	}

	private static void compare(SoftAssertions softly, Rights rights, Set<String> asked) {
		asked.removeAll(OF_THE_TEST);
		asked.removeAll(OF_CONNECTING);
		asked.addAll(OF_HEALTH);
		List<String> rules = new ArrayList<>(rights.rules().stream().filter((rule) -> !rule.startsWith("+")).toList());
		asked.forEach((command) -> rules.add("+" + command));
		Path wanted = write(rights.file().getFileName(), String.join(" ", rules) + "\n");
		softly.assertThat(rights.rules())
			.as("%s is not what the site needs; copy it from %s", rights.file(), wanted)
			.isEqualTo(rules);
	}

	private static Path write(Path name, String line) {
		try {
			return Files.writeString(Files.createDirectories(Path.of("target", "rights")).resolve(name), line);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@ParameterizedTest
	@Tag("slow")
	@EnumSource(RedisRelease.class)
	void theSiteWorksWithTheseRightsAndNothingIsRefused(RedisRelease release, @TempDir Path directory) {
		List<GuardedServer> locks = lockServers(release, Rights.LOCKS.rules());
		try (GuardedServer data = server(release, Rights.DATA.rules())) {
			new WholeSiteTour(data(data), locks(locks), directory).make();
			assertThat(data.refused()).isSubsetOf("command client");
			locks.forEach((node) -> assertThat(node.refused()).isSubsetOf("command client", "key test1"));
		}
		finally {
			locks.forEach(GuardedServer::close);
		}
	}

	@ParameterizedTest
	@EnumSource(Rights.class)
	void nothingElseIsAllowed(Rights rights) {
		try (GuardedServer server = server(RedisRelease.OF_THIS_MACHINE, rights.rules());
				RedisClient client = RedisClient.create(server.user())) {
			RedisCommands<String, String> user = client.connect().sync();
			List<Function<RedisCommands<String, String>, Object>> forbidden = List.of(RedisCommands::flushall,
					(c) -> c.configSet("dir", "/tmp"), (c) -> c.keys("*"), (c) -> c.debugObject("x"),
					RedisCommands::aclList, (c) -> c.get("other"), (c) -> c.del("other"),
					(c) -> c.eval("return 1", ScriptOutputType.INTEGER, "other"),
					(c) -> c.eval("return redis.call('del', 'other')", ScriptOutputType.INTEGER),
					(c) -> c.publish("other", "x"), (c) -> c.replicaofNoOne(), RedisCommands::save,
					(c) -> c.eval("return redis.call('flushall')", ScriptOutputType.STATUS));
			// Sent without waiting for an answer, because the command ends the
			// connection.
			user.shutdown(false);
			for (Function<RedisCommands<String, String>, Object> command : forbidden) {
				assertThatExceptionOfType(RedisCommandExecutionException.class).isThrownBy(() -> command.apply(user))
					.satisfies((refusal) -> assertThat(refusal.getMessage()).containsPattern(
							"(?i)NOPERM|no permissions|user executing the script can't|DEBUG command not allowed"));
			}
		}
	}

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@ValueSource(strings = { "zrevrange", "xadd" })
	void aMissingRightIsNamedInTheLog(String command, CapturedOutput output) {
		List<String> rules = Rights.DATA.rules().stream().filter((rule) -> !rule.equals("+" + command)).toList();
		assertThat(rules).hasSize(Rights.DATA.rules().size() - 1);
		List<GuardedServer> locks = lockServers(RedisRelease.OF_THIS_MACHINE, Rights.LOCKS.rules());
		try (GuardedServer data = server(RedisRelease.OF_THIS_MACHINE, rules);
				Site site = Site.startOn(data(data), locks(locks), "--retwis.locks.node-timeout=1s")) {
			Visitor visitor = Visitor.registered(site);
			visitor.get("/home");
			visitor.postJson("body", "refused", "once", "0123456789abcdef0123456789abcdef");
			assertThat(visitor.get("/timeline").status()).isIn(200, 500, 503);
			Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.untilAsserted(() -> assertThat(output.getAll())
					.containsPattern("(?i)(permissions to run the '" + command + "'|line \\d+: .*'" + command + "')"));
		}
		finally {
			locks.forEach(GuardedServer::close);
		}
	}

}
