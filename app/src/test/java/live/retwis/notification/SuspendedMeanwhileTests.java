package live.retwis.notification;

import java.time.Duration;

import live.retwis.account.AccountSuspension;
import live.retwis.fanout.FanOutDispatcher;
import live.retwis.log.LogEntry;
import live.retwis.redis.Keys;
import live.retwis.testing.Commits;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The workers process a post only after the author of the post that it replies to, or
 * that it reposts, is suspended. That author is back later, and finds what happened.
 */
class SuspendedMeanwhileTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final Visitor other = Visitor.registered(this.site);

	private String post = "";

	@BeforeEach
	void post() {
		this.post = this.author.post("hello");
	}

	@Test
	void aReplyIsAmongTheMentionsAndTheNotifications() {
		assertThat(this.other.submit("/posts", "body", "an answer", "reply_to", this.post).status()).isEqualTo(303);
		String reply = processWhileSuspended();
		assertThat(this.site.redis().zrange(Keys.mentions(this.author.id()), 0, -1)).containsExactly(reply);
		assertThat(this.site.redis().zcard(Keys.notifications(this.author.id()))).isOne();
	}

	@Test
	void aRepostIsAmongTheNotifications() {
		assertThat(this.other.submit("/posts/" + this.post + "/repost").status()).isEqualTo(303);
		processWhileSuspended();
		assertThat(this.site.redis().zcard(Keys.notifications(this.author.id()))).isOne();
	}

	private String processWhileSuspended() {
		FanOutWait.settle(this.site);
		String made = this.site.redis().zrevrange(Keys.postsOf(this.other.id()), 0, 0).get(0);
		this.site.redis().del(Keys.mentions(this.author.id()), Keys.notifications(this.author.id()));
		AccountSuspension suspension = this.site.bean(AccountSuspension.class);
		suspension.set(this.author.id(), true).block(BOUND);
		FanOutWait.settle(this.site);
		this.site.bean(FanOutDispatcher.class).apply(Commits.entry(this.site, LogEntry.Type.POST, made)).block(BOUND);
		suspension.set(this.author.id(), false).block(BOUND);
		return made;
	}

}
