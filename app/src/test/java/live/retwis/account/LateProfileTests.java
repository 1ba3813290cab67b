package live.retwis.account;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.DelayedWriteSites;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A profile form is held on its way, and the user sends another one to another instance.
 */
@ExtendWith(RedisExtension.class)
class LateProfileTests {

	@Test
	@Tag("slow")
	@Tag("long")
	void aLateFormDoesNotUndoANewerOne(@OwnRedis TestRedis redis) {
		try (DelayedWriteSites sites = new DelayedWriteSites(redis)) {
			String id = Visitor.registered(sites.fast()).id();
			sites.late(Keys.user(id),
					sites.slow().bean(UserRepository.class).setProfile(id, "A", "", PictureChange.NONE),
					sites.fast().bean(UserRepository.class).setProfile(id, "B", "", PictureChange.NONE));
			assertThat(sites.fast().redis().hget(Keys.user(id), "name")).isEqualTo("B");
		}
	}

}
