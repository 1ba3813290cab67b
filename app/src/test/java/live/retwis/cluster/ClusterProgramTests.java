package live.retwis.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import live.retwis.locks.lab.node.RawRedisClient;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.RunningCluster;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The command {@code cluster} with real processes. */
@Timeout(240)
class ClusterProgramTests {

	/**
	 * A stream goes on behind the load balancer, and the log knows what it had to bring.
	 */
	@Test
	@Tag("long")
	@Tag("slow")
	void aStreamLosesNothingWhenItsInstanceIsKilledAndCtrlCEndsEverything(@TempDir Path directory) {
		try (RunningCluster cluster = RunningCluster.start(directory, "--size=2", "--data=single")) {
			Visitor alice = Visitor.registered(cluster.origin());
			String begin = alice.get("/home").find("data-live=\"[^\"]*after&#x3D;([^\"&]*)");
			List<String> posts = new ArrayList<>();
			List<String> seen = new ArrayList<>();
			String position;
			try (EventStream stream = alice.open("/live/home?with=instance&after=" + begin)) {
				posts.add(alice.post("before"));
				stream.awaitPost("before");
				String instance = stream.await((event) -> event.name().equals("instance")).data();
				assertThat(instance).isEqualTo(stream.header("X-Instance"));
				alice.get("/break");
				Answer broken = alice.submitJson("/break", "kind", "kill-instance", "instance", instance, "seconds",
						"20");
				// On an overloaded machine the instance that answers may die before it
				// has answered.
				assertThat(broken.status()).as(broken.body()).isIn(200, 502);
				Answer twice = alice.submitJson("/break", "kind", "kill-instance", "instance", instance, "seconds",
						"20");
				assertThat(twice.status()).as("one thing at a time").isEqualTo(409);
				stream.awaitEnd();
				stream.events("post").forEach((event) -> seen.add(id(event)));
				position = stream.lastEventId();
			}
			posts.add(alice.post("while the instance is dead"));
			try (EventStream stream = alice.open("/live/home?with=instance&after=" + position)) {
				stream.awaitPost("while the instance is dead");
				posts.add(alice.post("after"));
				position = stream.awaitPost("after").id();
				stream.events("post").forEach((event) -> seen.add(id(event)));
			}
			assertThat(seen).isEqualTo(posts);
			Answer ledger = alice.getJson("/break/ledger?stream=/live/home&after=" + begin + "&until=" + position);
			assertThat(ledger.json().get("expected")).as(ledger.body())
				.map((id) -> id.asString())
				.containsExactlyElementsOf(posts);
			assertThat(Visitor.at(cluster.origin()).getJson("/break").status()).isEqualTo(200);
			Awaitility.await("the dead instance on the page")
				.atMost(Duration.ofSeconds(20))
				.until(() -> alice.get("/break").body().contains(killedPart(alice) + " is dead"));
			Answer healed = alice.submit("/break/heal");
			assertThat(healed.status()).as(healed.body()).isEqualTo(303);
			Awaitility.await("all parts")
				.atMost(Duration.ofSeconds(60))
				.until(() -> Visitor.at(cluster.origin()).getJson("/break").json().get("breakable").asBoolean());
			thePageWorksWithoutScripts(alice, cluster.origin());
			whatIsHealedInTimeNeverBreaks(alice);
			List<Long> parts = cluster.parts();
			assertThat(parts).as("a data node, five lock nodes, two instances, and the guard").hasSize(9);
			cluster.end("INT", parts);
		}
	}

	private static void thePageWorksWithoutScripts(Visitor alice, String origin) {
		assertThat(alice.get("/break").body()).contains("instance-1", "instance-2", "data-1", "lock-5",
				"value=\"slow-data\"", killedPart(alice) + " is dead");
		assertThat(alice.submit("/break", "kind", "everything", "seconds", "1").status()).isEqualTo(422);
		assertThat(alice.submit("/break", "kind", "slow-data", "seconds", "31").status()).isEqualTo(422);
		Answer done = alice.submit("/break", "kind", "slow-data", "seconds", "30");
		assertThat(done.status()).isEqualTo(303);
		assertThat(done.location()).isEqualTo("/break");
		assertThat(alice.get("/break").body()).contains("slowed down (by " + alice.name() + ")");
		assertThat(alice.submit("/break/heal").status()).isEqualTo(303);
		assertThat(alice.get("/break").body()).contains("That is mended.");
		Visitor stranger = Visitor.at(origin);
		assertThat(stranger.get("/break").body()).contains("Log in to break something").doesNotContain("slow-data");
		assertThat(stranger.get("/break?lang=zh").body()).contains("登录后即可制造故障", "部件");
	}

	/** What is ordered breaks a second later, and something else is ordered meanwhile. */
	private static void whatIsHealedInTimeNeverBreaks(Visitor alice) {
		// On a slow machine the first one has happened before it is healed. Then once
		// more,
		// when all parts are up again.
		Awaitility.await("two orders within a second").atMost(Duration.ofSeconds(60)).until(() -> {
			long begin = System.nanoTime();
			alice.submitJson("/break/heal");
			boolean ordered = alice.submitJson("/break", "kind", "kill-lock-node", "seconds", "10").status() == 200;
			alice.submitJson("/break/heal");
			boolean inTime = System.nanoTime() - begin < Duration.ofMillis(900).toNanos();
			return ordered && inTime
					&& alice.submitJson("/break", "kind", "slow-data", "seconds", "10").status() == 200;
		});
		Awaitility.await("a second of the ten")
			.atMost(Duration.ofSeconds(20))
			.until(() -> alice.getJson("/break").json().get("broken").get("left").asInt() < 10);
		assertThat(alice.get("/break").body()).contains("slowed down").doesNotContain("is dead");
	}

	/** The instance that was killed. */
	private static String killedPart(Visitor alice) {
		return alice.getJson("/break").json().get("broken").get("text").asString().replace(": killed", "");
	}

	private static String id(EventStream.Event post) {
		return post.data().replaceAll("(?s).*?data-post-id=\"(\\w+)\".*", "$1");
	}

	@Test
	@Tag("long")
	@Tag("slow")
	void ctrlCEndsAnInstanceBeforeItsWayToTheData(@TempDir Path directory) throws IOException {
		try (RunningCluster cluster = RunningCluster.start(directory, "--size=1", "--data=single",
				"--logging.level.io.lettuce.core.protocol.ConnectionWatchdog=DEBUG")) {
			cluster.end("INT", cluster.parts());
		}
		assertThat(Files.readString(directory.resolve("data/cluster/single/instance-1.log")))
			.contains("Retwis Live is open")
			.contains("channelInactive()")
			.doesNotContain("scheduleReconnect()");
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aProgramThatIsKilledLeavesNoProcess(@TempDir Path directory) {
		try (RunningCluster cluster = RunningCluster.launch(directory, "--size=1", "--data=single")) {
			cluster.awaitOutput("instance-1 ");
			List<Long> parts = cluster.parts();
			assertThat(parts).hasSize(8);
			noServerMayUseAllMemory(cluster);
			cluster.end("KILL", parts);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aProgramThatIsKilledWhileItsFirstServerStartsLeavesNoProcess(@TempDir Path directory) throws Exception {
		Path server = Files.createDirectories(directory.resolve("data/cluster/single/data-1"));
		neverLetsItStart(server);
		try (RunningCluster cluster = RunningCluster.launch(directory, "--size=1", "--data=single")) {
			Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> isBegun(server.resolve("redis.log")));
			List<Long> parts = cluster.parts();
			assertThat(parts).as("the data node and the guard").hasSize(2);
			cluster.end("KILL", parts);
		}
	}

	/** Instead of the server's file there is a pipe, and nobody is at its other end. */
	private static void neverLetsItStart(Path server) throws Exception {
		Path files = Files.createDirectory(server.resolve("appendonlydir"));
		Files.writeString(files.resolve("appendonly.aof.manifest"), "file appendonly.aof.1.incr.aof seq 1 type i\n");
		String older = server.resolve("appendonly.aof").toString();
		Process pipes = new ProcessBuilder("mkfifo", files.resolve("appendonly.aof.1.incr.aof").toString(), older)
			.start();
		assertThat(pipes.waitFor()).isZero();
	}

	private static boolean isBegun(Path log) throws IOException {
		return Files.exists(log) && Files.readString(log).contains("Server initialized");
	}

	private static void noServerMayUseAllMemory(RunningCluster cluster) {
		List<Integer> ports = Pattern.compile("(?m)^(?:data|lock)-\\d+ +127\\.0\\.0\\.1:(\\d+)")
			.matcher(cluster.output())
			.results()
			.map((part) -> Integer.valueOf(part.group(1)))
			.toList();
		assertThat(ports).as("a data node and five lock nodes").hasSize(6).allSatisfy((port) -> {
			List<String> answer = new RawRedisClient(port, Duration.ofSeconds(5)).ask("CONFIG", "GET", "maxmemory");
			assertThat(Long.parseLong(answer.get(1))).isPositive();
		});
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void itSaysWhatIsWrong(@TempDir Path directory) {
		try (RunningCluster cluster = RunningCluster.launch(directory, "--size=0")) {
			cluster.awaitOutput("--size is a number from 1 to 9");
		}
		try (RunningCluster first = RunningCluster.launch(directory, "--size=1", "--data=single")) {
			first.awaitOutput("data-1 ");
			try (RunningCluster second = RunningCluster.launch(directory, "--size=1", "--data=single")) {
				second.awaitOutput("Another cluster runs in ");
			}
		}
	}

}
