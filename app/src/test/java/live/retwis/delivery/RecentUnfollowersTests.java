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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

class RecentUnfollowersTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final int REQUESTS = 64;

	/** Entries in the log. One XRANGE reads a thousand. */
	private static final int LOG = 3000;

	private final RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT.withPort(TestPorts.next()));

	private final Site site = Site.startOn(SharedData.settings("127.0.0.1", this.redis.port()),
			"--retwis.fan-out.worker=false");

	private final RecentUnfollowers unfollows = this.site.bean(RecentUnfollowers.class);

	private final Visitor alice = Visitor.registered(this.site);

	private final Visitor bob = Visitor.registered(this.site);

	@AfterEach
	void stop() {
		this.site.close();
		this.redis.close();
	}

	private void followAndUnfollow(Visitor reader) {
		reader.follow(this.alice);
		assertThat(reader.submit("/@" + this.alice.name() + "/unfollow").status()).isEqualTo(303);
	}

	@Test
	void manyRequestsAtOnceShareOneReadingOfTheLog() {
		Visitor carol = Visitor.registered(this.site);
		assertThat(this.unfollows.of(this.alice.id(), 0).block(BOUND)).isEmpty();
		List.of(this.bob, carol).forEach(this::followAndUnfollow);
		ServerCost cost = ServerCost.of(List.of(this.redis),
				() -> assertThat(Flux.range(0, REQUESTS)
					.flatMap((i) -> this.unfollows.of((i % 2 == 0) ? this.alice.id() : this.bob.id(), i), REQUESTS)
					.collectList()
					.block(BOUND)).hasSize(REQUESTS).containsOnly(Set.of(this.bob.id(), carol.id()), Set.of()));
		// One that begins at once, and one for all who came meanwhile. On a busy
		// machine some come when these have ended, and the feed reads the log each
		// second. Alone, each request would read it.
		assertThat(cost.calls("xrange")).isLessThan(REQUESTS / 2);
	}

	/** The feed reads the log, too, about once a second. */
	@Test
	@Tag("slow")
	void requestsAfterEachOtherReadOnlyWhatIsNew() {
		CommitLog log = this.site.bean(CommitLog.class);
		Flux.range(0, LOG).concatMap((i) -> log.counted("post" + i, this.alice.id(), "{}")).blockLast(BOUND);
		assertThat(this.unfollows.of(this.alice.id(), 0).block(BOUND)).isEmpty();
		followAndUnfollow(this.bob);
		ServerCost cost = ServerCost.of(List.of(this.redis),
				() -> Flux.range(0, REQUESTS)
					.concatMap((i) -> this.unfollows.of(this.alice.id(), i))
					.doOnNext((found) -> assertThat(found).containsExactly(this.bob.id()))
					.blockLast(BOUND));
		assertThat(cost.calls("xrange")).as("a read of the whole log takes %s", LOG / 1000 + 1)
			.isLessThan(REQUESTS * 2);
		this.site.redis().xtrim(Keys.LOG, 1);
		log.counted("post", this.alice.id(), "{}").block(BOUND);
		this.site.redis().xtrim(Keys.LOG, 1);
		assertThat(this.unfollows.of(this.alice.id(), 0).block(BOUND)).as("the part that was read is no longer there")
			.isEmpty();
	}

	@Test
	void whatAFailOverHasLostIsForgottenThoughAnotherEntryHasTheSameId() {
		followAndUnfollow(this.bob);
		assertThat(this.unfollows.of(this.alice.id(), 0).block(BOUND)).containsExactly(this.bob.id());
		String last = this.site.redis().xrevrange(Keys.LOG, Range.unbounded(), Limit.from(1)).get(0).getId();
		this.site.redis().del(Keys.LOG);
		this.site.redis().xadd(Keys.LOG, new XAddArgs().id(last), "nonce", "other", "n", "1", "type", "start");
		assertThat(this.unfollows.of(this.alice.id(), 0).block(BOUND)).isEmpty();
	}

}
