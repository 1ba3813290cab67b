package live.retwis.log;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.NotConfirmedException;
import live.retwis.testing.Answer;
import live.retwis.testing.Commits;
import live.retwis.testing.Simultaneous;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(RedisExtension.class)
class ConfirmedWritesTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	/** Longer than a replica needs to answer, even on a busy machine. */
	private static final String PATIENCE = "1500ms";

	/** A site whose posts count when the replica has them. */
	private static Site start(int port, TestRedis master, TestRedis replica) {
		Site site = Site.startAt("127.0.0.1", port, "--retwis.redis.wait-replicas=1",
				"--retwis.redis.wait-timeout=" + PATIENCE);
		replica.follow(master);
		Awaitility.await().atMost(BOUND).until(() -> site.redis().info("replication").contains("state=online"));
		return site;
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPostThatNoReplicaHasIsNotAcknowledgedAndTheSameFormFinishesIt(@OwnRedis TestRedis master,
			@OwnRedis TestRedis replica) {
		try (Site site = start(master.port(), master, replica)) {
			Visitor alice = Visitor.registered(site);
			alice.post("confirmed");
			String once = alice.get("/home").once();
			replica.pause();
			Answer refused = alice.submit("/posts", "body", "not yet", "once", once);
			assertThat(refused.status()).isEqualTo(503);
			assertThat(refused.header("Retry-After")).isEqualTo("5");
			assertThat(refused.body()).contains("Your post could not be confirmed yet");
			assertThat(Visitor.ofManagement(site).get("/actuator/prometheus").body())
				.contains("retwis_posts_total{result=\"unconfirmed\"} 1.0");
			assertThat(refused.textarea()).isEqualTo("not yet");
			assertThat(refused.once()).isEqualTo(once);
			assertThat(alice.get("/home").status()).isEqualTo(200);
			replica.resume();
			Awaitility.await()
				.atMost(BOUND)
				.until(() -> alice.submit("/posts", "body", "not yet", "once", once).status() == 303);
			assertThat(alice.get("/home").posts()).containsExactly("not yet", "confirmed");
			assertThat(alice.get("/timeline").posts()).containsExactly("not yet", "confirmed");
		}
	}

	/**
	 * The log entry exists, but the replica did not confirm it in time. A repost that is
	 * found in the log is no reason to say that it is made.
	 */
	@Test
	@Tag("slow")
	@Tag("long")
	void aRepostIsAcknowledgedOnlyWhenAReplicaHasItAndTheSameButtonFinishesIt(@OwnRedis TestRedis master,
			@OwnRedis TestRedis replica) {
		try (FaultProxy way = master.proxy(); Site site = start(way.port(), master, replica)) {
			Visitor alice = Visitor.registered(site);
			String post = alice.post("to be reposted");
			String button = "/posts/" + post + "/repost";
			Visitor bob = Visitor.registered(site);
			String once = Keys.once(bob.id(), "repost:" + post);
			assertThat(unconfirmed(way, replica, once, () -> bob.submit(button)).status()).isEqualTo(503);
			site.redis().expire(once, 100);
			Answer found = bob.submit(button);
			assertThat(site.redis().ttl(once)).as("from Redis 7.2 on, WAIT covers only what the connection has written")
				.isGreaterThan(100);
			assertThat(found.status()).as("found, and not confirmed").isEqualTo(503);
			assertThat(found.header("Retry-After")).isEqualTo("5");
			assertThat(found.body()).contains("Your repost could not be confirmed yet");
			replica.resume();
			Awaitility.await().atMost(BOUND).until(() -> bob.submit(button).status() == 303);
			Awaitility.await()
				.atMost(BOUND)
				.until(() -> bob.get("/@" + bob.name()).posts().equals(List.of("to be reposted")));
		}
	}

	/** The form of a reply whose parent is gone is answered only if the reply is safe. */
	@Test
	@Tag("slow")
	@Tag("long")
	void aReplyThatIsFoundIsAcknowledgedOnlyWhenAReplicaHasIt(@OwnRedis TestRedis master, @OwnRedis TestRedis replica) {
		try (FaultProxy way = master.proxy(); Site site = start(way.port(), master, replica)) {
			Visitor alice = Visitor.registered(site);
			String parent = alice.post("a question");
			Visitor bob = Visitor.registered(site);
			String once = bob.get("/posts/" + parent).once();
			String[] reply = { "body", "an answer", "once", once, "reply_to", parent };
			assertThat(unconfirmed(way, replica, Keys.once(bob.id(), once), () -> bob.submit("/posts", reply)).status())
				.isEqualTo(503);
			alice.submit("/posts/" + parent + "/delete");
			assertThat(bob.submit("/posts", reply).status()).as("found, and not confirmed").isEqualTo(503);
			replica.resume();
			Awaitility.await().atMost(BOUND).until(() -> bob.submit("/posts", reply).status() == 303);
			assertThat(bob.get("/@" + bob.name()).posts()).containsExactly("an answer");
		}
	}

	/** The answer to a form whose post is committed while the replica is paused. */
	private static Answer unconfirmed(FaultProxy way, TestRedis replica, String once, Supplier<Answer> form) {
		try (Interception publish = way.at(SentCommand.named("EVALSHA").and(SentCommand.with(once))).holdCommand()) {
			CompletableFuture<Answer> sent = CompletableFuture.supplyAsync(form);
			publish.awaitMet();
			replica.pause();
			publish.close();
			return sent.join();
		}
	}

	/**
	 * A request that is repeated finds the post stored. WAIT has something to wait for
	 * all the same.
	 */
	@Test
	void storingAPostAgainWritesSomethingThatReplicasCanConfirm(@OwnRedis TestRedis redis) {
		RedisClient client = RedisClient.create(redis.uri());
		try {
			RedisCommands<String, String> node = client.connect().sync();
			assertThat(store(node, "author", "U1", "created", "1", "body", "once more")).containsExactly("1");
			long changes = changes(node);
			assertThat(store(node, "author", "U1", "created", "1", "body", "once more")).containsExactly("1");
			assertThat(changes(node)).isGreaterThan(changes);
			assertThat(store(node, "author", "U2", "created", "1", "body", "another")).containsExactly("0");
		}
		finally {
			client.shutdown();
		}
	}

	private static List<String> store(RedisCommands<String, String> node, String... fields) {
		return node.eval(LuaScript.named("create-hash").getScriptAsString(), ScriptOutputType.MULTI,
				new String[] { "post:P1" }, fields);
	}

	/** How often the data has changed, as Redis counts it. */
	private static long changes(RedisCommands<String, String> node) {
		return node.info("persistence")
			.lines()
			.filter((line) -> line.startsWith("rdb_changes_since_last_save:"))
			.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
			.findFirst()
			.orElseThrow();
	}

	/** The log entry exists, but the replica did not confirm it in time. */
	@Test
	@Tag("slow")
	@Tag("long")
	void anUnconfirmedPostIsConfirmedByTheSameFormAndMadeOnlyOnce(@OwnRedis TestRedis master,
			@OwnRedis TestRedis replica) {
		try (Site site = start(master.port(), master, replica)) {
			site.redis().hset("post:P1", "author", "U1");
			site.redis().hset("user:U1", "auth", "1");
			replica.pause();
			assertThat(Commits.publish(site, "P1", "U1", "once").materialize().block(BOUND))
				.satisfies((signal) -> assertThat(signal.getThrowable()).isInstanceOf(NotConfirmedException.class));
			assertThat(site.redis().zrange("{live}:public", 0, -1)).containsExactly("P1");
			assertThat(Commits.publish(site, "P2", "U1", "once").materialize().block(BOUND))
				.satisfies((signal) -> assertThat(signal.getThrowable()).isInstanceOf(NotConfirmedException.class));
			replica.resume();
			Awaitility.await().atMost(BOUND).ignoreExceptions().until(() -> {
				CommitLog.Commit commit = Commits.publish(site, "P3", "U1", "once").block(BOUND);
				return commit != null && commit.postId().equals("P1");
			});
			assertThat(site.redis().zrange("{live}:public", 0, -1)).containsExactly("P1");
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void manyPostsAtOnceShareTheirConfirmations(@OwnRedis TestRedis master, @OwnRedis TestRedis replica)
			throws Exception {
		try (Site site = start(master.port(), master, replica)) {
			Visitor alice = Visitor.registered(site);
			site.redis().configResetstat();
			List<Integer> answers = Simultaneous.times(64, (i) -> alice.postJson("body", "post " + i).status());
			assertThat(answers).containsOnly(201);
			assertThat(site.redis().zcard("posts:" + alice.id())).isEqualTo(64);
			String waits = site.redis()
				.info("commandstats")
				.lines()
				.filter((line) -> line.startsWith("cmdstat_wait:"))
				.findFirst()
				.orElse("");
			int calls = Integer.parseInt(waits.replaceAll("cmdstat_wait:calls=(\\d+),.*", "$1"));
			assertThat(calls).isBetween(2, 127);
		}
	}

}
