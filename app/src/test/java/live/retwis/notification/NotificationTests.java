package live.retwis.notification;

import java.util.List;

import live.retwis.fanout.FanOutDispatcher;
import live.retwis.log.CommitLog;
import live.retwis.log.LogPosition;
import live.retwis.redis.Keys;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** Users are told of what others do that is about them. */
class NotificationTests extends NotificationScene {

	private void plantFollows(int count) {
		String actor = this.friend.id().substring(0, 9);
		Flux.range(0, count)
			.flatMap((i) -> this.notifications.add(this.reader.id(),
					new Notification(NotificationType.FOLLOW, actor + "%04d".formatted(i), ""), 1000 + i))
			.then()
			.block(SOON);
	}

	@Test
	void aFollowALikeARepostAMentionAndAReplyAreToldNewestFirst() {
		String post = this.reader.post("to talk about");
		this.friend.follow(this.reader);
		awaitSentences(names("follows you"));
		press(this.friend, post, "like");
		awaitSentences(names("likes your post"), names("follows you"));
		press(this.friend, post, "repost");
		awaitSentences(names("reposted your post"), names("likes your post"), names("follows you"));
		this.friend.post("hello @" + this.reader.name());
		this.friend.reply(post, "@" + this.reader.name() + " mentions its reader, but is a reply");
		awaitSentences(names("replied to you"), names("mentioned you"), names("reposted your post"),
				names("likes your post"), names("follows you"));
		assertThat(unread()).isEqualTo(5);
	}

	@ParameterizedTest
	@ValueSource(strings = { "mute", "block" })
	void nobodyIsToldOfWhatSomebodyDoesWhomTheyHaveMutedOrBlocked(String button) {
		String post = this.reader.post("to be liked");
		press(this.friend, post, "like");
		Awaitility.await().atMost(SOON).until(() -> !sentences().isEmpty());
		this.reader.get("/@" + this.friend.name());
		assertThat(this.reader.submit("/@" + this.friend.name() + "/" + button).status()).isEqualTo(303);
		Awaitility.await("the badge, before the page of notifications is opened")
			.atMost(SOON)
			.until(() -> stored() == 0);
		assertThat(sentences()).isEmpty();
		press(this.friend, post, "unlike");
		if (button.equals("mute")) {
			press(this.friend, post, "like");
			press(this.friend, post, "repost");
			this.friend.reply(post, "a reply");
		}
		String mention = this.friend.post("@" + this.reader.name());
		Awaitility.await()
			.atMost(SOON)
			.until(() -> this.site.redis().zscore(Keys.postsOf(this.friend.id()), mention) != null);
		Visitor other = Visitor.registered(this.site);
		press(other, post, "like");
		Awaitility.await().atMost(SOON).until(() -> !sentences().isEmpty());
		assertThat(this.notifications.all(this.reader.id()).block()).hasSize(1);
	}

	@Test
	void nobodyIsToldOfWhatTheyDidThemselves() {
		String post = this.reader.post("by me, @" + this.reader.name());
		press(this.reader, post, "like");
		press(this.reader, post, "repost");
		this.reader.reply(post, "to myself");
		FanOutWait.settle(this.site);
		assertThat(this.site.redis().exists(Keys.notifications(this.reader.id()))).isZero();
		assertThat(this.reader.get(PATH).body()).contains("Nothing has happened yet.");
	}

	@Test
	void processingEntriesAgainChangesNothing() {
		CommitLog log = this.site.bean(CommitLog.class);
		Mono<LogPosition> before = log.head().cache();
		before.block(SOON);
		String post = this.reader.post("to be liked");
		this.friend.follow(this.reader);
		press(this.friend, post, "like");
		press(this.friend, post, "repost");
		this.friend.reply(post, "hello");
		Awaitility.await().atMost(SOON).until(() -> sentences().size() == 4);
		this.reader.get(PATH);
		String key = Keys.notifications(this.reader.id());
		List<?> stored = this.site.redis().zrangeWithScores(key, 0, -1);
		FanOutDispatcher fanOut = this.site.bean(FanOutDispatcher.class);
		before.flatMap((last) -> log.from(last, 1000))
			.flatMapIterable((entries) -> entries)
			.filter((entry) -> List.of(this.friend.id(), this.reader.id()).contains(entry.user()))
			.concatMap(fanOut::resume)
			.then()
			.block(SOON);
		assertThat(this.site.redis().zrangeWithScores(key, 0, -1)).isEqualTo(stored);
		assertThat(unread()).isZero();
	}

	@Test
	void theListKeepsItsBoundAndTheOldestGo() {
		plantFollows(NotificationRepository.MOST + 5);
		String key = Keys.notifications(this.reader.id());
		assertThat(this.site.redis().zcard(key)).isEqualTo(NotificationRepository.MOST);
		assertThat(this.site.redis().zrangeWithScores(key, 0, 0).get(0).getScore()).isEqualTo(1005);
		plant(NotificationType.FOLLOW, this.friend.id(), "", 1);
		assertThat(this.site.redis().zscore(key, "follow:" + this.friend.id())).as("older than all").isNull();
		assertThat(badge(this.reader)).isEqualTo("99+");
		assertThat(unread()).isEqualTo(NotificationRepository.MOST);
	}

}
