package live.retwis.account;

import java.time.Duration;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.EventStream;
import live.retwis.testing.LockServers;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** Too few lock nodes answer, so a log-out ends this session only. */
@ExtendWith(RedisExtension.class)
class LogOutWithoutQuorumTests {

	@Test
	@Tag("slow")
	void theHomeStreamOfTheSessionEnds(@OwnRedis TestRedis redis) {
		try (LockServers locks = new LockServers(3); Site site = Site.start(redis, locks.setting())) {
			Visitor author = Visitor.registered(site);
			Visitor reader = Visitor.registered(site);
			reader.follow(author);
			locks.killMajority();
			try (EventStream home = reader.open("/live/home")) {
				home.await((event) -> event.name().equals("position"));
				reader.get("/settings");
				assertThat(reader.submit("/logout").location()).contains("ended-here");
				assertThat(reader.isSignedIn()).isFalse();
				author.post("for readers who are logged in");
				assertThat(home.endsWithin(Duration.ofSeconds(15))).isTrue();
			}
		}
	}

}
