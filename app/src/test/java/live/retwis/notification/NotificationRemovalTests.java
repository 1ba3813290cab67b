package live.retwis.notification;

import java.util.List;

import live.retwis.account.AccountSuspension;
import live.retwis.redis.Keys;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Notifications leave with what they tell of. */
class NotificationRemovalTests extends NotificationScene {

	@Test
	void whatADeletedPostHasToldIsNoLongerCounted() {
		String own = this.reader.post("to be answered and liked");
		press(this.friend, own, "like");
		String reply = this.friend.reply(own, "a reply");
		String mention = this.friend.post("@" + this.reader.name());
		Awaitility.await().atMost(SOON).until(() -> unread() == 3);
		press(this.friend, mention, "delete");
		Awaitility.await().atMost(SOON).until(() -> unread() == 2);
		press(this.friend, reply, "delete");
		Awaitility.await().atMost(SOON).until(() -> unread() == 1);
		press(this.reader, own, "delete");
		Awaitility.await().atMost(SOON).until(() -> unread() == 0);
		assertThat(stored()).isZero();
	}

	@Test
	void aMarkThatComesAfterAllNotificationsAreGoneIsNotKept() {
		String post = this.reader.post("to be liked");
		press(this.friend, post, "like");
		Awaitility.await().atMost(SOON).until(() -> stored() == 1);
		this.notifications.delete(this.reader.id()).block();
		this.notifications.markRead(this.reader.id(), System.currentTimeMillis(), 1).block();
		assertThat(this.site.redis().exists(Keys.notificationsRead(this.reader.id()))).isZero();
	}

	@Test
	void whatIsTakenBackLeavesTheList() {
		String post = this.reader.post("liked for a moment");
		this.friend.follow(this.reader);
		press(this.friend, post, "like");
		press(this.friend, post, "repost");
		Awaitility.await().atMost(SOON).until(() -> sentences().size() == 3);
		press(this.friend, post, "unlike");
		press(this.friend, post, "unrepost");
		this.friend.unfollow(this.reader);
		Awaitility.await().atMost(SOON).until(() -> stored() == 0);
		FanOutWait.settle(this.site);
		assertThat(this.site.redis().exists(Keys.notifications(this.reader.id()))).isZero();
	}

	@Test
	void aRepostThatIsDeletedWhileItsAuthorIsSuspendedLeavesTheList() {
		press(this.friend, this.reader.post("to be reposted"), "repost");
		Awaitility.await().atMost(SOON).until(() -> sentences().size() == 1);
		String repost = this.site.redis().zrevrange(Keys.postsOf(this.friend.id()), 0, 0).get(0);
		this.site.bean(AccountSuspension.class).set(this.reader.id(), true).block(SOON);
		this.friend.get("/timeline");
		this.friend.submit("/posts/" + repost + "/delete");
		FanOutWait.settle(this.site);
		this.site.bean(AccountSuspension.class).set(this.reader.id(), false).block(SOON);
		assertThat(this.site.redis().exists(Keys.notifications(this.reader.id()))).isZero();
	}

	@Test
	void postsAndUsersThatAreGoneAreNeverShown() {
		Visitor stays = Visitor.registered(this.site);
		String post = this.reader.post("liked by two");
		String gone = this.reader.post("goes");
		press(stays, post, "like");
		press(this.friend, post, "like");
		press(stays, gone, "like");
		String mention = stays.post("@" + this.reader.name() + " goes, too");
		Awaitility.await().atMost(SOON).until(() -> sentences().size() == 3);
		this.reader.get("/posts/" + gone);
		this.reader.submit("/posts/" + gone + "/delete");
		stays.get("/posts/" + mention);
		stays.submit("/posts/" + mention + "/delete");
		this.friend.get("/settings");
		this.friend.submit("/settings/delete", "password", Visitor.PASSWORD);
		awaitSentences("@" + stays.name() + " likes your post");
		assertThat(this.site.redis().zcard(Keys.notifications(this.reader.id()))).isOne();
	}

	@Test
	void theListAndItsMarkGoWithTheAccount() {
		String readerId = this.reader.id();
		this.friend.follow(this.reader);
		Awaitility.await().atMost(SOON).until(() -> stored() == 1);
		this.reader.get(PATH);
		assertThat(this.site.redis().get(Keys.notificationsRead(readerId))).isNotNull();
		this.reader.get("/settings");
		assertThat(this.reader.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		Awaitility.await()
			.atMost(SOON)
			.until(() -> this.site.redis().exists(Keys.notifications(readerId), Keys.notificationsRead(readerId)) == 0);
		this.site.bean(NotificationWriter.class)
			.add(readerId, new Notification(NotificationType.FOLLOW, this.friend.id(), ""), 1000)
			.block(SOON);
		assertThat(this.site.redis().exists(Keys.notifications(readerId))).as("a worker was late").isZero();
	}

	@Test
	void whatASuspendedUserDidIsBackWhenTheUserIsRestored() {
		String post = this.reader.post("like this");
		press(this.friend, post, "like");
		this.friend.reply(post, "a reply");
		this.friend.follow(this.reader);
		FanOutWait.settle(this.site);
		List<String> before = sentences();
		assertThat(before).hasSize(3);
		AccountSuspension suspension = this.site.bean(AccountSuspension.class);
		suspension.set(this.friend.id(), true).block(SOON);
		Awaitility.await("the instance has heard of it")
			.atMost(SOON)
			.untilAsserted(() -> assertThat(sentences(this.reader.get(PATH))).isEmpty());
		assertThat(this.notifications.count(this.reader.id())).succeedsWithin(SOON).isEqualTo(0L);
		suspension.set(this.friend.id(), false).block(SOON);
		Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(sentences()).isEqualTo(before));
	}

}
