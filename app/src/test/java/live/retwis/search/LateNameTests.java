package live.retwis.search;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import live.retwis.account.UserSearchIndex;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.Disposable;

import static org.assertj.core.api.Assertions.assertThat;

/** The worker of a changed name is late, or dies. */
@Timeout(60)
@ExtendWith(RedisExtension.class)
class LateNameTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private static void rename(Visitor user, String name) {
		user.get("/settings");
		assertThat(user.submit("/settings/profile", "name", name, "bio", "").status()).isEqualTo(303);
	}

	@Test
	@Tag("slow")
	void theUserIsFoundByTheLaterName(@OwnRedis TestRedis redis) throws Exception {
		try (FaultProxy way = redis.proxy();
				Site fast = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), "--retwis.fan-out.worker=false",
						"--spring.data.redis.timeout=8s")) {
			Visitor user = Visitor.registered(fast);
			rename(user, "Ada Byron");
			FanOutWait.settle(fast);
			String found = "<li><a class=\"author\" href=\"/@" + user.name() + "\"";
			CompletableFuture<Void> late;
			try (Interception held = way
				.at(SentCommand.named("EVALSHA")
					.and(SentCommand.with(Keys.user(user.id())))
					.and(SentCommand.containing("byron")))
				.holdCommand()) {
				late = slow.bean(UserSearchIndex.class).renamed(user.id()).toFuture();
				held.awaitMet();
				rename(user, "Ada Lovelace");
				FanOutWait.settle(fast);
				assertThat(user.get("/search?q=lovelace").body()).contains(found);
			}
			late.get();
			assertThat(user.get("/search?q=lovelace").body()).contains(found);
			assertThat(fast.redis().zrange(Keys.NAMES + "b", 0, -1)).isEmpty();
		}
	}

	@Test
	@Tag("slow")
	void theNextWorkerRemovesWhatADeadOneHasLeft(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site site = Site.startAt("127.0.0.1", way.port(), "--retwis.fan-out.worker=false")) {
			UserSearchIndex names = site.bean(UserSearchIndex.class);
			Visitor user = Visitor.registered(site);
			rename(user, "Ada Byron");
			names.renamed(user.id()).block(BOUND);
			rename(user, "Ada Lovelace");
			try (Interception lost = way.at(SentCommand.named("ZREM").and(SentCommand.containing("byron")))
				.loseCommand()) {
				Disposable dying = names.renamed(user.id()).subscribe();
				lost.awaitMet();
				dying.dispose();
			}
			try (Site next = Site.start(redis)) {
				FanOutWait.settle(next);
				assertThat(next.redis().zrange(Keys.NAMES + "b", 0, -1)).isEmpty();
				assertThat(next.redis().hget(Keys.user(user.id()), "words")).isEqualTo("ada lovelace");
			}
		}
	}

	@Test
	@Tag("slow")
	void aNameThatComesAfterItsAccountIsDeletedIsTakenBack(@OwnRedis TestRedis redis) throws Exception {
		try (FaultProxy way = redis.proxy();
				Site fast = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), "--retwis.fan-out.worker=false",
						"--spring.data.redis.timeout=8s")) {
			Visitor user = Visitor.registered(fast);
			String id = user.id();
			rename(user, "Lovelace");
			FanOutWait.settle(fast);
			CompletableFuture<Void> late;
			try (Interception held = way.at(SentCommand.named("ZADD").and(SentCommand.containing("lovelace")))
				.holdCommand()) {
				late = slow.bean(UserSearchIndex.class).renamed(id).toFuture();
				held.awaitMet();
				user.get("/settings");
				assertThat(user.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
				FanOutWait.settle(fast);
				assertThat(fast.redis().hget(Keys.user(id), "words")).isNull();
			}
			late.get();
			assertThat(fast.keys(Keys.NAMES + "*")).isEmpty();
		}
	}

}
