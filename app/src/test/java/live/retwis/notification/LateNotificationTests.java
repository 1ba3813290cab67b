package live.retwis.notification;

import java.util.List;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.DelayedWriteSites;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A notification whose write is held on its way to Redis until its reason was taken back.
 */
@ExtendWith(RedisExtension.class)
class LateNotificationTests {

	private static final String USER = "0CCCCCCCCCCCC";

	@Test
	@Tag("slow")
	void aLateNotificationDoesNotComeBackAfterItWasRemoved(@OwnRedis TestRedis redis) {
		try (DelayedWriteSites sites = new DelayedWriteSites(redis)) {
			Notification liked = new Notification(NotificationType.LIKE, "0DDDDDDDDDDDD", "0BBBBBBBBBBBB");
			NotificationRepository now = sites.fast().bean(NotificationRepository.class);
			sites.late(Keys.notifications(USER), sites.slow().bean(NotificationRepository.class).add(USER, liked, 1),
					now.add(USER, liked, 1).then(now.remove(USER, List.of(liked))));
			assertThat(sites.fast().redis().exists(Keys.notifications(USER))).isZero();
		}
	}

}
