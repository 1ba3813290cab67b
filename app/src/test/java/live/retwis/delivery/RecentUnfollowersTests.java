package live.retwis.delivery;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.XAddArgs;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.log.CommitLog;
import live.retwis.redis.Keys;
import live.retwis.testing.ServerCost;
import live.retwis.testing.SharedData;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

class RecentUnfollowersTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final int REQUESTS = 64;

	/** Entries in the log. One XRANGE reads a thousand. */
	private static final int LOG = 3000;

	private static Site siteWithoutWorkers(RedisProcess redis) {
		return Site.startOn(SharedData.settings("127.0.0.1", redis.port()), "--retwis.fan-out.worker=false");
	}

	@Test
	void manyRequestsAtOnceShareOneReadingOfTheLog() {
		try (RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT.withPort(TestPorts.next()));
				Site site = siteWithoutWorkers(redis)) {
			RecentUnfollowers unfollows = site.bean(RecentUnfollowers.class);
			Visitor alice = Visitor.registered(site);
			Visitor bob = Visitor.registered(site);
			Visitor carol = Visitor.registered(site);
			assertThat(unfollows.of(alice.id(), 0).block(BOUND)).isEmpty();
			for (Visitor reader : List.of(bob, carol)) {
				reader.follow(alice);
				assertThat(reader.submit("/@" + alice.name() + "/unfollow").status()).isEqualTo(303);
			}
			ServerCost cost = ServerCost.of(List.of(redis),
					() -> assertThat(Flux.range(0, REQUESTS)
						.flatMap((i) -> unfollows.of((i % 2 == 0) ? alice.id() : bob.id(), i), REQUESTS)
						.collectList()
						.block(BOUND)).hasSize(REQUESTS).containsOnly(Set.of(bob.id(), carol.id()), Set.of()));
			// One that begins at once, and one for all who came meanwhile. On a busy
			// machine some come when these have ended, and the feed reads the log each
			// second. Alone, each request would read it.
			assertThat(cost.calls("xrange")).isLessThan(REQUESTS / 2);
		}
	}

	/** The feed reads the log, too, about once a second. */
	@Test
	@Tag("slow")
	void requestsAfterEachOtherReadOnlyWhatIsNew() {
		try (RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT.withPort(TestPorts.next()));
				Site site = siteWithoutWorkers(redis)) {
			RecentUnfollowers unfollows = site.bean(RecentUnfollowers.class);
			Visitor alice = Visitor.registered(site);
			Visitor bob = Visitor.registered(site);
			CommitLog log = site.bean(CommitLog.class);
			Flux.range(0, LOG).concatMap((i) -> log.counted("post" + i, alice.id(), "{}")).blockLast(BOUND);
			assertThat(unfollows.of(alice.id(), 0).block(BOUND)).isEmpty();
			bob.follow(alice);
			assertThat(bob.submit("/@" + alice.name() + "/unfollow").status()).isEqualTo(303);
			ServerCost cost = ServerCost.of(List.of(redis),
					() -> Flux.range(0, REQUESTS)
						.concatMap((i) -> unfollows.of(alice.id(), i))
						.doOnNext((found) -> assertThat(found).containsExactly(bob.id()))
						.blockLast(BOUND));
			assertThat(cost.calls("xrange")).as("a read of the whole log takes %s", LOG / 1000 + 1)
				.isLessThan(REQUESTS * 2);
			site.redis().xtrim(Keys.LOG, 1);
			log.counted("post", alice.id(), "{}").block(BOUND);
			site.redis().xtrim(Keys.LOG, 1);
			assertThat(unfollows.of(alice.id(), 0).block(BOUND)).as("the part that was read is no longer there")
				.isEmpty();
		}
	}

	@Test
	void whatAFailOverHasLostIsForgottenThoughAnotherEntryHasTheSameId() {
		try (RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT.withPort(TestPorts.next()));
				Site site = siteWithoutWorkers(redis)) {
			RecentUnfollowers unfollows = site.bean(RecentUnfollowers.class);
			Visitor alice = Visitor.registered(site);
			Visitor bob = Visitor.registered(site);
			bob.follow(alice);
			assertThat(bob.submit("/@" + alice.name() + "/unfollow").status()).isEqualTo(303);
			assertThat(unfollows.of(alice.id(), 0).block(BOUND)).containsExactly(bob.id());
			String last = site.redis().xrevrange(Keys.LOG, Range.unbounded(), Limit.from(1)).get(0).getId();
			site.redis().del(Keys.LOG);
			site.redis().xadd(Keys.LOG, new XAddArgs().id(last), "nonce", "other", "n", "1", "type", "start");
			assertThat(unfollows.of(alice.id(), 0).block(BOUND)).isEmpty();
		}
	}

}
