package live.retwis.web;

import java.util.List;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The data node is there, but a key is damaged, or the node takes no writes: its disk is
 * full, or it has too few replicas. Pages are read all the same.
 */
@ExtendWith(RedisExtension.class)
class PagesWithoutWritesTests {

	private Site site;

	private Visitor reader;

	private Visitor friend;

	@BeforeEach
	void start(@OwnRedis TestRedis redis) {
		this.site = Site.start(redis);
		this.reader = Visitor.registered(this.site);
		this.friend = Visitor.registered(this.site);
	}

	@AfterEach
	void stop() {
		this.site.close();
	}

	private void takeWrites(boolean taken) {
		this.site.redis().configSet("min-replicas-to-write", taken ? "0" : "1");
	}

	private static String unread(Answer page) {
		return page.find("data-unread[^>]*>(\\d*)<");
	}

	@Test
	void notificationsAreShownAndStayUnread() {
		this.friend.post("for @" + this.reader.name());
		FanOutWait.settle(this.site);
		takeWrites(false);
		for (int i = 0; i < 2; i++) {
			Answer page = this.reader.get("/notifications");
			assertThat(page.status()).isEqualTo(200);
			assertThat(page.body()).contains(this.friend.name());
			assertThat(unread(page)).isEqualTo("1");
		}
		takeWrites(true);
		assertThat(unread(this.reader.get("/notifications"))).isEmpty();
		assertThat(unread(this.reader.get("/home"))).isEmpty();
	}

	@Test
	void listsThatStillHaveADeletedPostOrUserAreShown() {
		String stays = this.friend.post("stays #lasting");
		String gone = this.friend.post("goes #lasting");
		this.reader.get("/timeline");
		for (String post : List.of(stays, gone)) {
			assertThat(this.reader.submit("/posts/" + post + "/bookmark").status()).isEqualTo(303);
		}
		Visitor leaving = Visitor.registered(this.site);
		assertThat(this.reader.submit("/@" + leaving.name() + "/mute").status()).isEqualTo(303);
		leaving.get("/settings");
		assertThat(leaving.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		this.friend.submit("/posts/" + gone + "/delete");
		FanOutWait.settle(this.site);
		this.site.redis().zadd(Keys.tag("lasting"), 1, gone);
		this.site.redis().zadd(Keys.mentions(this.reader.id()), 1, gone);
		takeWrites(false);
		for (String page : List.of("/bookmarks", "/tags/lasting")) {
			assertThat(this.reader.get(page).postIds()).as(page).containsExactly(stays);
		}
		assertThat(this.reader.get("/mentions").status()).isEqualTo(200);
		assertThat(this.reader.get("/settings/muted").status()).isEqualTo(200);
		takeWrites(true);
		assertThat(this.reader.get("/bookmarks").postIds()).containsExactly(stays);
		assertThat(this.site.redis().zrange(Keys.bookmarks(this.reader.id()), 0, -1)).containsExactly(stays);
	}

	@Test
	void aDamagedListOfNotificationsCostsItsUserNoOtherPage() {
		this.site.redis().set(Keys.notifications(this.reader.id()), "what?");
		for (String page : List.of("/home", "/timeline", "/settings")) {
			assertThat(this.reader.get(page).status()).as(page).isEqualTo(200);
		}
		assertThat(this.reader.post("still here")).isNotEmpty();
		assertThat(this.reader.submit("/logout").status()).isEqualTo(303);
	}

}
