package live.retwis.notification;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import live.retwis.account.AccountSuspension;
import live.retwis.testing.Answer;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.web.util.HtmlUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** The page of notifications: its sentences, its pages, and what it marks as read. */
class NotificationPageTests extends NotificationScene {

	@Test
	void manyWhoLikeAPostAreOneSentenceWithTheBeginningOfThePost() {
		String post = this.reader.post("<b>many</b>\nlines " + "and words ".repeat(20));
		List<Visitor> fans = new ArrayList<>(List.of(this.friend));
		press(this.friend, post, "like");
		awaitSentences(names("likes your post"));
		for (String words : List.of("%s and %s like your post", "%s, %s and one other like your post",
				"%s, %s and 2 others like your post")) {
			Visitor fan = Visitor.registered(this.site);
			fans.add(0, fan);
			press(fan, post, "like");
			awaitSentences(words.formatted("@" + fans.get(0).name(), "@" + fans.get(1).name()));
		}
		Answer page = this.reader.get(PATH);
		assertThat(HtmlUtils.htmlUnescape(page.find("<p class=\"quote\"><a[^>]*>([^<]*)</a>")))
			.isEqualTo("<b>many</b> lines " + "and words ".repeat(6) + "an…");
		JsonNode json = this.reader.getJson(PATH).json();
		JsonNode group = json.get("notifications").get(0);
		assertThat(group.get("type").asString()).isEqualTo("like");
		assertThat(group.get("users")).hasSize(2);
		assertThat(group.get("others").asInt()).isEqualTo(2);
		assertThat(group.get("post").asString()).isEqualTo(post);
		assertThat(group.get("unread").asBoolean()).as("the page before has shown it").isFalse();
		assertThat(json.get("older").isNull()).isTrue();
		assertThat(this.reader.get(PATH + "?lang=zh").body()).contains("和另外 2 人", "赞了你的帖子");
	}

	@Test
	void theOthersInASentenceLeadToTheListOfAllWhoDidIt() {
		String post = this.reader.post("liked and reposted by three");
		for (Visitor fan : List.of(this.friend, Visitor.registered(this.site), Visitor.registered(this.site))) {
			press(fan, post, "like");
			press(fan, post, "repost");
		}
		Awaitility.await().atMost(SOON).untilAsserted(() -> {
			String page = this.reader.get(PATH).body();
			assertThat(page).contains("<a href=\"/posts/" + post + "/likes\">and one other</a> like your post",
					"<a href=\"/posts/" + post + "/reposts\">and one other</a> reposted your post");
		});
	}

	@Test
	void openingThePageReadsWhatItShowsAndNothingLater() {
		String post = this.reader.post("read");
		plant(NotificationType.LIKE, this.friend.id(), post, 2000);
		assertThat(badge(this.reader)).isEqualTo("1");
		assertThat(this.reader.send("HEAD", PATH, BodyPublishers.noBody()).status()).isEqualTo(200);
		assertThat(badge(this.reader)).as("after HEAD").isEqualTo("1");
		Answer page = this.reader.get(PATH);
		assertThat(page.body()).contains("<li class=\"unread\" ", ">New</b>", "data-unread></span>");
		assertThat(badge(this.reader)).isEmpty();
		plant(NotificationType.FOLLOW, this.friend.id(), "", 1500);
		assertThat(badge(this.reader)).as("a worker was late").isEqualTo("1");
		assertThat(this.reader.get(PATH).body()).containsOnlyOnce("<li class=\"unread\" ");
		assertThat(this.reader.get(PATH).body()).doesNotContain("class=\"unread");
		this.notifications.markRead(this.reader.id(), 1, 9).block(SOON);
		assertThat(unread()).as("the mark never goes back").isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "prefetch", "prefetch;prerender" })
	void aPageThatABrowserLoadsAheadReadsNothing(String purpose) {
		plant(NotificationType.FOLLOW, this.friend.id(), "", 2000);
		assertThat(this.reader.get(PATH, "Sec-Purpose", purpose).body()).contains("<li class=\"unread\" ");
		assertThat(unread()).isOne();
	}

	@Test
	void thePageGoesOnWhereItEndedAndOlderPagesReadNothing() {
		List<String> posts = IntStream.range(0, 21).mapToObj((i) -> this.reader.post("post " + i)).toList();
		IntStream.range(0, 21)
			.forEach((i) -> plant(NotificationType.LIKE, this.friend.id(), posts.get(i), 2000 + i / 2));
		Answer first = this.reader.get(PATH + "?before=" + future());
		assertThat(sentences(first)).hasSize(20);
		Answer second = this.reader.get(first.older());
		assertThat(sentences(second)).hasSize(1);
		assertThat(second.body()).contains("/posts/" + posts.get(0) + "\"").contains("<a rel=\"prev\" href=\"" + PATH);
		assertThat(second.older()).isEmpty();
		assertThat(unread()).isEqualTo(21);
		String other = first.older().substring(first.older().indexOf('?'));
		assertThat(this.friend.get(PATH + other).status()).isEqualTo(400);
		assertThat(this.reader.get("/mentions" + other).status()).isEqualTo(400);
	}

	@Test
	void aGroupIsOnOnePageAlsoWhileTheNewestOfItsUsersIsSuspended() {
		String post = this.reader.post("liked by two");
		plant(NotificationType.LIKE, Visitor.registered(this.site).id(), post, 1000);
		plant(NotificationType.LIKE, this.friend.id(), post, 9000);
		String author = Visitor.registered(this.site).id();
		IntStream.range(0, 21)
			.forEach((i) -> plant(NotificationType.LIKE, author, this.reader.post("n" + i), 2000 + i));
		this.site.bean(AccountSuspension.class).set(this.friend.id(), true).block(SOON);
		JsonNode first = Awaitility.await("a first page without it, when the instance has heard of it")
			.atMost(SOON)
			.until(() -> this.reader.getJson(PATH).json(),
					(page) -> !page.get("notifications").toString().contains(post));
		JsonNode second = this.reader.getJson(PATH + "?before=" + first.get("older").asString()).json();
		assertThat(second.get("notifications").toString()).contains(post);
		this.site.bean(AccountSuspension.class).set(this.friend.id(), false).block(SOON);
	}

	@Test
	void aNotificationThatComesWhileThePageIsMadeIsNotMarkedAsRead() {
		Notification seen = new Notification(NotificationType.FOLLOW, this.friend.id(), "");
		Notification late = new Notification(NotificationType.FOLLOW, Visitor.registered(this.site).id(), "");
		this.notifications.add(this.reader.id(), seen, 2000).block(SOON);
		this.notifications.add(this.reader.id(), late, 1000).block(SOON);
		this.notifications.markRead(this.reader.id(), 2000, 1).block(SOON);
		assertThat(this.notifications.count(this.reader.id())).succeedsWithin(SOON).isEqualTo(2L);
		this.notifications.markRead(this.reader.id(), 2000, 2).block(SOON);
		assertThat(this.notifications.count(this.reader.id())).succeedsWithin(SOON).isEqualTo(0L);
	}

}
