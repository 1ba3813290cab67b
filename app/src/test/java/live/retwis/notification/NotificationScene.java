package live.retwis.notification;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;

import org.springframework.web.util.HtmlUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** A reader who has notifications, and a friend who causes them. */
abstract class NotificationScene {

	static final Duration SOON = Duration.ofSeconds(15);

	static final String PATH = "/notifications";

	private static final Pattern SENTENCE = Pattern
		.compile("(?s)<li(?: class=\"unread\")? data-group=\"[^\"]+\">\\s*<span class=\"avatar.*?<p>(.*?)</p>");

	final Site site = Site.shared();

	final NotificationRepository notifications = this.site.bean(NotificationRepository.class);

	final Visitor reader = Visitor.registered(this.site);

	final Visitor friend = Visitor.registered(this.site);

	long stored() {
		return this.notifications.unread(this.reader.id()).blockOptional().orElseThrow().count();
	}

	static void press(Visitor visitor, String post, String action) {
		visitor.get("/posts/" + post);
		assertThat(visitor.submit("/posts/" + post + "/" + action).status()).isEqualTo(303);
	}

	/** What the page says, without marking it as read. */
	List<String> sentences() {
		return sentences(this.reader.get(PATH + "?before=" + future()));
	}

	/** A cursor before which everything is. Pages with a cursor mark nothing as read. */
	String future() {
		return new Cursor(1L << 52, "reply:0ZZZZZZZZZZZZ:0ZZZZZZZZZZZZ").text(Keys.notifications(this.reader.id()));
	}

	static List<String> sentences(Answer page) {
		return SENTENCE.matcher(page.body())
			.results()
			.map((found) -> HtmlUtils.htmlUnescape(found.group(1).replaceAll("<[^>]*>", "")))
			.toList();
	}

	void awaitSentences(String... sentences) {
		Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(sentences()).containsExactly(sentences));
	}

	static String badge(Visitor visitor) {
		return visitor.get("/settings").find("data-unread>([^<]*)<");
	}

	long unread() {
		return this.reader.getJson(PATH + "/unread").json().get("unread").asLong();
	}

	String names(String rest) {
		return "@" + this.friend.name() + " " + rest;
	}

	void plant(NotificationType type, String actorId, String postId, long time) {
		this.notifications.add(this.reader.id(), new Notification(type, actorId, postId), time).block(SOON);
		this.site.bean(UnreadNotificationCache.class).changed(this.reader.id());
	}

}
