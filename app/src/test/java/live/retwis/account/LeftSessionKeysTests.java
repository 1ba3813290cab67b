package live.retwis.account;

import java.util.List;

import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.redis.Keys;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** What sessions leave in the store that a log-out has ended. */
@Timeout(120)
@ExtendWith(RedisExtension.class)
class LeftSessionKeysTests {

	private final Site site = Site.shared();

	@Test
	void endedSessionsLeaveNoKeysWhenTheirUserLogsInAgain() {
		Visitor user = Visitor.registered(this.site);
		String id = user.id();
		for (int i = 0; i < 5; i++) {
			Visitor.signedIn(this.site, user.name());
		}
		user.get("/settings");
		assertThat(user.submit("/logout").status()).isEqualTo(303);
		Visitor.signedIn(this.site, user.name());
		List<String> left = this.site.keys(Keys.session("*"))
			.stream()
			.filter((key) -> String.valueOf(this.site.redis().get(key)).startsWith(id))
			.toList();
		assertThat(left).as("the keys of sessions of the user").hasSize(1);
	}

}
