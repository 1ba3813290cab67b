package live.retwis.doctor;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.post.PostCountType;
import live.retwis.redis.Keys;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** What {@code --fix} does about reposts. */
class RepostRepairTests extends RepairScene {

	RepostRepairTests(@OwnRedis TestRedis redis) {
		super(redis);
	}

	@Test
	@Tag("slow")
	void repostsWhoseListIsLostAreNamedAgain() {
		String post = this.broken.post(this.broken.user("alice"));
		String bob = this.broken.user("bob");
		String repost = this.broken.post(bob);
		this.connection.sync().hset(Keys.post(repost), "repost_of", post);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			assertThat(store.fix())
				.contains("post:" + repost + ": is a repost that " + Keys.reposts(post) + " does not name; fixed");
			assertThat(this.connection.sync().hget(Keys.reposts(post), bob)).isEqualTo(repost);
			assertThat(this.connection.sync().hget(Keys.post(post), PostCountType.REPOSTS.field())).isEqualTo("1");
			store.assertSound();
		}
	}

	@Test
	void aRepostOfADeletedPostIsDeleted() {
		String bob = this.broken.user("bob");
		String post = this.broken.post(this.broken.user("alice"));
		String repost = repost(post, bob);
		this.connection.sync().hset(Keys.post(post), "deleted", "1");
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			assertThat(store.look(Keys.post(repost))).singleElement()
				.extracting(Finding::remedy)
				.isEqualTo("--fix deletes it");
		}
	}

	@Test
	void aSecondRepostStaysWhileTheFirstOneOrTheOriginalIsLost() {
		RedisCommands<String, String> data = this.connection.sync();
		String bob = this.broken.user("bob");
		String post = this.broken.post(this.broken.user("alice"));
		String first = repost(post, bob);
		String second = repost(post, bob);
		data.hset(Keys.reposts(post), bob, first);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			assertThat(remedy(store, Keys.post(second))).isEqualTo("--fix deletes it");
			Map<String, String> backup = data.hgetall(Keys.post(first));
			data.del(Keys.post(first));
			assertThat(remedy(store, Keys.post(second)))
				.isEqualTo("restore the post that it names or remove that by hand");
			data.hset(Keys.post(first), backup);
			data.del(Keys.post(post));
			assertThat(remedy(store, Keys.post(second))).isEqualTo("restore that post or delete the repost by hand");
		}
	}

	@Test
	void aRepostTakesThePlaceOfADeletedOne() {
		RedisCommands<String, String> data = this.connection.sync();
		String bob = this.broken.user("bob");
		String post = this.broken.post(this.broken.user("alice"));
		String first = this.broken.unlisted(bob, System.currentTimeMillis() - BrokenStore.HOUR);
		data.hset(Keys.post(first), Map.of("repost_of", post, "deleted", "1"));
		String second = repost(post, bob);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			for (boolean isListMendedFirst : List.of(true, false)) {
				data.hset(Keys.reposts(post), bob, first);
				List<String> keys = List.of(Keys.reposts(post), Keys.post(second));
				List<Finding> findings = keys.stream().map((key) -> store.look(key).get(0)).toList();
				for (int i : isListMendedFirst ? new int[] { 0, 1 } : new int[] { 1, 0 }) {
					Objects.requireNonNull(findings.get(i).repair()).get().block();
				}
				assertThat(data.hget(Keys.reposts(post), bob)).isEqualTo(second);
				assertThat(data.hexists(Keys.post(second), "deleted")).isFalse();
			}
		}
	}

	@Test
	void aRepostIsNotNamedAgainAfterItHasChanged() {
		RedisCommands<String, String> data = this.connection.sync();
		String bob = this.broken.user("bob");
		List<String> posts = Stream.generate(() -> this.broken.post(bob)).limit(3).toList();
		List<String> reposts = posts.stream().map((post) -> repost(post, bob)).toList();
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			List<Finding> findings = reposts.stream().map((repost) -> store.look(Keys.post(repost)).get(0)).toList();
			data.hset(Keys.post(reposts.get(0)), "deleted", "1");
			data.hset(Keys.post(posts.get(1)), "deleted", "1");
			data.hset(Keys.reposts(posts.get(2)), bob, "another");
			findings.forEach(RepairScene::assertComesTooLate);
			assertThat(data.exists(Keys.reposts(posts.get(0)), Keys.reposts(posts.get(1)))).isZero();
			assertThat(data.hget(Keys.reposts(posts.get(2)), bob)).isEqualTo("another");
		}
	}

	@Test
	void aRepostIsNotNamedAgainIfAnotherOneIsNamedAtTheSameTime() {
		String bob = this.broken.user("bob");
		String post = this.broken.post(bob);
		String repost = repost(post, bob);
		try (FaultProxy way = this.redis.proxy();
				ExaminedSite store = ExaminedSite.startAt("127.0.0.1", way.port(), "--spring.data.redis.timeout=20s")) {
			Finding finding = store.look(Keys.post(repost)).get(0);
			CompletableFuture<Void> repair;
			try (Interception held = way
				.at(SentCommand.named("EVALSHA", "EVAL").and(SentCommand.with(Keys.reposts(post))))
				.holdCommand()) {
				repair = Objects.requireNonNull(finding.repair()).get().toFuture();
				held.awaitMet();
				this.connection.sync().hset(Keys.reposts(post), bob, "another");
			}
			assertThatException().isThrownBy(() -> repair.orTimeout(20, TimeUnit.SECONDS).join())
				.withMessageContaining("it has changed meanwhile");
		}
	}

	private String repost(String post, String user) {
		String repost = this.broken.post(user);
		this.connection.sync().hset(Keys.post(repost), "repost_of", post);
		return repost;
	}

}
