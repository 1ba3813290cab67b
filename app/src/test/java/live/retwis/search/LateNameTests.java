package live.retwis.search;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import live.retwis.account.NameRepository;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** A user changes the name twice, and the worker of the first change is late. */
@Timeout(60)
@ExtendWith(RedisExtension.class)
class LateNameTests {

	private static void rename(Visitor user, String name) {
		user.get("/settings");
		assertThat(user.submit("/settings/profile", "name", name, "bio", "").status()).isEqualTo(303);
	}

	@Test
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
				late = slow.bean(NameRepository.class).renamed(user.id()).toFuture();
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

}
