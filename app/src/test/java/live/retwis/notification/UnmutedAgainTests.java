package live.retwis.notification;

import java.time.Duration;

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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A user is no longer muted, and some instances do not know it yet, because Redis has
 * done it and the answer was lost.
 */
@ExtendWith(RedisExtension.class)
class UnmutedAgainTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final String PATH = "/notifications";

	private static boolean isTold(Visitor visitor, Visitor liker) {
		return visitor.getJson(PATH).body().contains(liker.name());
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aNotificationIsShownWhenEveryInstanceKnows(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site site = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), "--retwis.fan-out.worker=false")) {
			Visitor bob = Visitor.registered(site);
			Visitor alice = Visitor.registered(site);
			Visitor there = alice.sentTo(slow.url(""));
			String post = alice.post("to be liked");
			for (String button : new String[] { "mute", "unmute", "mute" }) {
				alice.get("/@" + bob.name());
				assertThat(alice.submit("/@" + bob.name() + "/" + button).status()).isEqualTo(303);
			}
			FanOutWait.settle(site);
			assertThat(isTold(alice, bob) || isTold(there, bob)).isFalse();
			there.get("/@" + bob.name());
			try (Interception held = way.at(SentCommand.named("EVALSHA").and(SentCommand.with(Keys.muted(alice.id()))))
				.holdReply()) {
				assertThat(there.submit("/@" + bob.name() + "/unmute").status()).isEqualTo(503);
				held.awaitMet();
			}
			bob.get("/posts/" + post);
			assertThat(bob.submit("/posts/" + post + "/like").status()).isEqualTo(303);
			FanOutWait.settle(site);
			// This instance has not heard of it.
			alice.get(PATH);
			Awaitility.await().atMost(SOON).untilAsserted(() -> {
				there.get("/@" + bob.name());
				assertThat(there.submit("/@" + bob.name() + "/unmute").status()).isEqualTo(303);
			});
			assertThat(isTold(there, bob)).as("when the second press is answered").isTrue();
			Awaitility.await().atMost(SOON).until(() -> isTold(alice, bob));
		}
	}

}
