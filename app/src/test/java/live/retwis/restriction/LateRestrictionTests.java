package live.retwis.restriction;

import java.time.Duration;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.DelayedWriteSites;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** An unblock is held on its way, and the user blocks again at another instance. */
@ExtendWith(RedisExtension.class)
class LateRestrictionTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final String USER = "0BBBBBBBBBBBB";

	private static final String OTHER = "0CCCCCCCCCCCC";

	@Test
	@Tag("slow")
	@Tag("long")
	void aLateUnblockDoesNotUndoABlock(@OwnRedis TestRedis redis) {
		String blocked = Keys.blocked(USER);
		try (DelayedWriteSites sites = new DelayedWriteSites(redis)) {
			RestrictionRepository now = sites.fast().bean(RestrictionRepository.class);
			Mono<Boolean> block = now.add(Restriction.BLOCK, USER, OTHER);
			// So that the node knows the scripts.
			block.then(now.remove(Restriction.BLOCK, USER, OTHER)).then(block).block(BOUND);
			sites.late(blocked, sites.slow().bean(RestrictionRepository.class).remove(Restriction.BLOCK, USER, OTHER),
					block);
			assertThat(sites.fast().redis().zrange(blocked, 0, -1)).containsExactly(OTHER);
		}
	}

}
