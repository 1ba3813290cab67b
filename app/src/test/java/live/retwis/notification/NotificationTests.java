package live.retwis.notification;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.account.AccountSuspension;
import live.retwis.fanout.FanOutDispatcher;
import live.retwis.log.CommitLog;
import live.retwis.log.LogPosition;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

import org.springframework.web.util.HtmlUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** Users are told of what others do that is about them. */
class NotificationTests {

	private static final Duration SOON = Duration.ofSeconds(15);

	private static final String PATH = "/notifications";

	private static final Pattern SENTENCE = Pattern
		.compile("(?s)<li(?: class=\"unread\")? data-group=\"[^\"]+\">\\s*<span class=\"avatar.*?<p>(.*?)</p>");

	private final Site site = Site.shared();

	private final NotificationRepository notifications = this.site.bean(NotificationRepository.class);

	private final Visitor reader = Visitor.registered(this.site);

	private final Visitor friend = Visitor.registered(this.site);

	private long stored() {
		return this.notifications.unread(this.reader.id()).blockOptional().orElseThrow().count();
	}

	private static void press(Visitor visitor, String post, String action) {
		visitor.get("/posts/" + post);
		assertThat(visitor.submit("/posts/" + post + "/" + action).status()).isEqualTo(303);
	}

	private static String reply(Visitor visitor, String text, String post) {
		visitor.get("/posts/" + post);
		return visitor.postJson("body", text, "once", UUID.randomUUID().toString(), "reply_to", post)
			.json()
			.get("posts")
			.get(0)
			.get("id")
			.asString();
	}

	/** What the page says, without marking it as read. */
	private List<String> sentences() {
		return sentences(this.reader.get(PATH + "?before=" + future()));
	}

	/** A cursor before which everything is. Pages with a cursor mark nothing as read. */
	private String future() {
		return new Cursor(1L << 52, "reply:0ZZZZZZZZZZZZ:0ZZZZZZZZZZZZ").text(Keys.notifications(this.reader.id()));
	}

	private static List<String> sentences(Answer page) {
		return SENTENCE.matcher(page.body())
			.results()
			.map((found) -> HtmlUtils.htmlUnescape(found.group(1).replaceAll("<[^>]*>", "")))
			.toList();
	}

	private void awaitSentences(String... sentences) {
		Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(sentences()).containsExactly(sentences));
	}

	private static String badge(Visitor visitor) {
		return visitor.get("/settings").find("data-unread>([^<]*)<");
	}

	private long unread() {
		return this.reader.getJson(PATH + "/unread").json().get("unread").asLong();
	}

	private String names(String rest) {
		return "@" + this.friend.name() + " " + rest;
	}

	private void plant(NotificationType type, String actorId, String postId, long time) {
		this.notifications.add(this.reader.id(), new Notification(type, actorId, postId), time).block(SOON);
		this.site.bean(UnreadNotificationCache.class).changed(this.reader.id());
	}

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
		reply(this.friend, "@" + this.reader.name() + " mentions its reader, but is a reply", post);
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
			reply(this.friend, "a reply", post);
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
	void aPageWithoutALiveListIsToldTheCountsOfItsPosts() {
		String shown = this.friend.post("on the page");
		String other = this.friend.post("on another page");
		String stream = "/live/notifications?posts=" + shown + ",nonsense";
		try (EventStream light = this.reader.open(stream); EventStream signedOut = Visitor.of(this.site).open(stream)) {
			List.of(light, signedOut).forEach((one) -> one.await((event) -> event.name().equals("position")));
			press(this.friend, other, "like");
			press(this.friend, shown, "like");
			this.friend.post("hello @" + this.reader.name());
			light.await((event) -> event.name().equals("notify"));
			press(this.friend, shown, "unlike");
			for (EventStream one : List.of(light, signedOut)) {
				one.await((event) -> event.name().equals("counts") && event.data().contains("\"likes\":0"));
				assertThat(one.events("counts")).noneMatch((event) -> event.data().contains(other));
				assertThat(one.events("post")).isEmpty();
			}
			assertThat(signedOut.events("notify")).isEmpty();
		}
	}

	@Test
	void whatHappensBetweenAPageWithoutALiveListAndItsStreamReachesThePage() {
		String liked = this.friend.post("on the page");
		String deleted = this.friend.post("soon gone");
		IntStream.range(0, 19).forEach((i) -> this.reader.post("above them on the home page"));
		this.reader.follow(this.friend);
		Visitor stranger = Visitor.of(this.site);
		List<String> positions = Stream
			.concat(Stream.of("/mentions", "/bookmarks", "/search", "/settings", "/posts/" + liked + "/likes", older())
				.map(this.reader::get), Stream.of(stranger.get("/posts/" + liked + "/likes")))
			.map((page) -> page.find("data-position=\"([^\"]+)\""))
			.toList();
		press(this.friend, liked, "like");
		press(this.friend, deleted, "delete");
		for (String position : positions) {
			String stream = "/live/notifications?after=" + position + "&posts=" + liked;
			for (Visitor visitor : List.of(this.reader, stranger)) {
				try (EventStream light = visitor.open(stream)) {
					light.await((event) -> event.name().equals("counts") && event.data().contains("\"likes\":1"));
					light.await((event) -> event.name().equals("delete") && event.data().equals(deleted));
					assertThat(light.events("reset")).isEmpty();
				}
			}
		}
	}

	/** The address of the second page of the reader's home timeline. */
	private String older() {
		Awaitility.await().atMost(SOON).until(() -> !this.reader.get("/home").older().isEmpty());
		return this.reader.get("/home").older();
	}

	@Test
	void whatADeletedPostHasToldIsNoLongerCounted() {
		String own = this.reader.post("to be answered and liked");
		press(this.friend, own, "like");
		String reply = reply(this.friend, "a reply", own);
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
	void nobodyIsToldOfWhatTheyDidThemselves() {
		String post = this.reader.post("by me, @" + this.reader.name());
		press(this.reader, post, "like");
		press(this.reader, post, "repost");
		reply(this.reader, "to myself", post);
		FanOutWait.settle(this.site);
		assertThat(this.site.redis().exists(Keys.notifications(this.reader.id()))).isZero();
		assertThat(this.reader.get(PATH).body()).contains("Nothing has happened yet.");
	}

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
	void processingEntriesAgainChangesNothing() {
		CommitLog log = this.site.bean(CommitLog.class);
		Mono<LogPosition> before = log.head().cache();
		before.block(SOON);
		String post = this.reader.post("to be liked");
		this.friend.follow(this.reader);
		press(this.friend, post, "like");
		press(this.friend, post, "repost");
		reply(this.friend, "hello", post);
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
	void everyPageOfTheReaderHasTheNumberAndNoPageOfASignedOutVisitor() {
		this.friend.follow(this.reader);
		Awaitility.await().atMost(SOON).until(() -> stored() == 1);
		for (String page : List.of("/home", "/timeline", "/mentions", "/@" + this.friend.name(), "/settings",
				"/nothing/here")) {
			assertThat(this.reader.get(page).body()).as(page).contains("data-unread>1</span>");
		}
		Visitor stranger = Visitor.of(this.site);
		assertThat(stranger.get("/timeline").body()).doesNotContain("data-unread", PATH);
		assertThat(stranger.get(PATH).location()).isEqualTo("/login?next=%2Fnotifications");
		assertThat(stranger.getJson(PATH).status()).isEqualTo(401);
		assertThat(stranger.getJson(PATH + "/unread").status()).isEqualTo(401);
	}

	@Test
	void openHomesAreToldOfEachNumberAndOfNobodyElses() {
		try (EventStream home = this.reader.open("/live/home"); EventStream others = this.friend.open("/live/home")) {
			home.await((event) -> event.name().equals("position"));
			this.friend.follow(this.reader);
			String after = home.await((event) -> event.data().equals("{\"unread\":1}")).id();
			this.reader.get(PATH);
			home.await((event) -> event.data().equals("{\"unread\":0}"));
			assertThat(home.events("notify").stream().map(EventStream.Event::data).distinct())
				.containsExactly("{\"unread\":1}", "{\"unread\":0}");
			assertThat(others.events("notify")).isEmpty();
			try (EventStream resumed = this.reader.open("/live/home", "Last-Event-ID", after)) {
				EventStream.Event again = resumed.await((event) -> event.name().equals("notify"));
				assertThat(again.data()).isEqualTo("{\"unread\":0}");
				home.await(again::equals);
			}
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void everyStreamOfTheReaderBringsTheNumberAlsoWhenItIsResumed() {
		String post = this.reader.post("about #numbers");
		for (String path : List.of("/live/notifications", "/live/public", "/live/@" + this.friend.name(),
				"/live/tags/numbers", "/live/posts/" + post)) {
			try (EventStream stream = this.reader.open(path);
					EventStream strangers = Visitor.of(this.site).open(path.replace("notifications", "public"))) {
				String begun = stream.await((event) -> event.name().equals("position")).id();
				strangers.await((event) -> event.name().equals("position"));
				press(this.friend, post, "like");
				stream.await((event) -> event.data().equals("{\"unread\":1}"));
				try (EventStream resumed = this.reader.open(path, "Last-Event-ID", begun)) {
					EventStream.Event again = resumed.await((event) -> event.name().equals("notify"));
					assertThat(again.data()).isEqualTo("{\"unread\":1}");
					stream.await(again::equals);
				}
				this.reader.get(PATH);
				stream.await((event) -> event.data().equals("{\"unread\":0}"));
				assertThat(strangers.events("notify")).isEmpty();
				press(this.friend, post, "unlike");
			}
		}
	}

	@Test
	void aResumedPublicStreamBringsEveryReaderTheSameButForTheNumber() {
		try (EventStream before = Visitor.of(this.site).open("/live/public");
				EventStream hers = this.reader.open("/live/public")) {
			String begun = before.await((event) -> event.name().equals("position")).id();
			hers.await((event) -> event.name().equals("position"));
			this.friend.follow(this.reader);
			hers.await((event) -> event.name().equals("notify"));
			this.friend.post("the last one");
			try (EventStream signedOut = Visitor.of(this.site).open("/live/public", "Last-Event-ID", begun);
					EventStream signedIn = this.reader.open("/live/public", "Last-Event-ID", begun)) {
				signedOut.awaitPost("the last one");
				signedIn.awaitPost("the last one");
				assertThat(signedOut.events("notify")).isEmpty();
				assertThat(signedIn.events("notify")).hasSize(1);
				List<EventStream.Event> posts = signedOut.events("post");
				assertThat(signedIn.events("post")).isEqualTo(posts);
			}
		}
	}

	@Test
	void theLightStreamIsForWhoeverIsSignedInAndEndsWithTheLogOut() {
		assertThat(Visitor.of(this.site).get("/live/notifications").status()).isEqualTo(401);
		try (EventStream light = this.reader.open("/live/notifications")) {
			light.await((event) -> event.name().equals("position"));
			this.reader.post("not for the light stream");
			this.reader.get("/settings");
			assertThat(this.reader.submit("/logout").status()).isEqualTo(303);
			light.awaitEnd();
			assertThat(light.events("post")).isEmpty();
			assertThat(this.reader.get("/live/notifications").status()).isEqualTo(401);
		}
	}

	@Test
	void aStormMakesFewEntriesAndTheLastNumberIsRight() {
		int storm = 300;
		NotificationWriter writer = this.site.bean(NotificationWriter.class);
		String actor = this.friend.id().substring(0, 9);
		try (EventStream home = this.reader.open("/live/home")) {
			home.await((event) -> event.name().equals("position"));
			long begun = System.nanoTime();
			Flux.range(0, storm)
				.flatMap((i) -> writer.add(this.reader.id(),
						new Notification(NotificationType.FOLLOW, actor + "%04d".formatted(i), ""), 1000 + i))
				.then()
				.block(SOON);
			home.await((event) -> event.data().equals("{\"unread\":" + storm + "}"));
			long seconds = Duration.ofNanos(System.nanoTime() - begun).toSeconds();
			assertThat(home.events("notify")).hasSizeLessThanOrEqualTo((int) seconds + 2);
		}
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
		reply(this.friend, "a reply", post);
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
