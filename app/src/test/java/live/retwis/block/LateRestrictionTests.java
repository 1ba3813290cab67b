package live.retwis.block;

import java.time.Duration;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLog;
import live.retwis.redis.Availability;
import live.retwis.redis.Keys;
import live.retwis.testing.Site;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** An unblock is held on its way, and the user blocks again at another instance. */
@ExtendWith(RedisExtension.class)
class LateRestrictionTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final String NO_WORKER = "--retwis.fan-out.worker=false";

	private static final String USER = "0BBBBBBBBBBBB";

	private static final String OTHER = "0CCCCCCCCCCCC";

	@Test
	void aLateUnblockDoesNotUndoABlock(@OwnRedis TestRedis redis) {
		String blocked = Keys.blocked(USER);
		try (FaultProxy way = redis.proxy();
				Site fast = Site.start(redis, NO_WORKER);
				Site slow = Site.startAt("127.0.0.1", way.port(), NO_WORKER, "--spring.data.redis.timeout=1s")) {
			RestrictionRepository now = fast.bean(RestrictionRepository.class);
			RestrictionRepository late = slow.bean(RestrictionRepository.class);
			// So that the node knows the scripts.
			now.add(Restriction.BLOCK, USER, OTHER)
				.then(now.remove(Restriction.BLOCK, USER, OTHER))
				.then(now.add(Restriction.BLOCK, USER, OTHER))
				.block(BOUND);
			try (Interception held = way.at(SentCommand.with(blocked)).holdCommand()) {
				assertThatException().isThrownBy(() -> late.remove(Restriction.BLOCK, USER, OTHER).block(BOUND))
					.matches(Availability::isAway);
				held.awaitMet();
				now.add(Restriction.BLOCK, USER, OTHER).block(BOUND);
			}
			CommitLog next = slow.bean(CommitLog.class);
			// The connection answers in order, so the command has run by then.
			Awaitility.await().atMost(BOUND).ignoreExceptions().until(() -> next.head().block(BOUND) != null);
			assertThat(fast.redis().zrange(blocked, 0, -1)).containsExactly(OTHER);
		}
	}

}
