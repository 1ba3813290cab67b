package live.retwis.log;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
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

	private static Site start(TestRedis master, TestRedis replica) {
		Site site = Site.start(master, "--retwis.redis.wait-replicas=1", "--retwis.redis.wait-timeout=" + PATIENCE);
		replica.follow(master);
		Awaitility.await().atMost(BOUND).until(() -> site.redis().info("replication").contains("state=online"));
		return site;
	}

	@Test
	@Tag("slow")
	void aPostThatNoReplicaHasIsNotAcknowledgedAndTheSameFormFinishesIt(@OwnRedis TestRedis master,
			@OwnRedis TestRedis replica) {
		try (Site site = start(master, replica)) {
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
	void aRepostIsAcknowledgedOnlyWhenAReplicaHasItAndTheSameButtonFinishesIt(@OwnRedis TestRedis master,
			@OwnRedis TestRedis replica) {
		try (FaultProxy way = master.proxy();
				Site site = Site.startAt("127.0.0.1", way.port(), "--retwis.redis.wait-replicas=1",
						"--retwis.redis.wait-timeout=" + PATIENCE)) {
			replica.follow(master);
			Awaitility.await().atMost(BOUND).until(() -> site.redis().info("replication").contains("state=online"));
			Visitor alice = Visitor.registered(site);
			String post = alice.post("to be reposted");
			String button = "/posts/" + post + "/repost";
			Visitor bob = Visitor.registered(site);
			try (Interception publish = way
				.at(SentCommand.named("EVALSHA").and(SentCommand.with(Keys.once(bob.id(), "repost:" + post))))
				.holdCommand()) {
				CompletableFuture<Answer> pressed = CompletableFuture.supplyAsync(() -> bob.submit(button));
				publish.awaitMet();
				replica.pause();
				publish.close();
				assertThat(pressed.join().status()).isEqualTo(503);
			}
			Answer found = bob.submit(button);
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

	/** The log entry exists, but the replica did not confirm it in time. */
	@Test
	@Tag("slow")
	@Tag("long")
	void anUnconfirmedPostIsConfirmedByTheSameFormAndMadeOnlyOnce(@OwnRedis TestRedis master,
			@OwnRedis TestRedis replica) {
		try (Site site = start(master, replica)) {
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
		try (Site site = start(master, replica)) {
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
