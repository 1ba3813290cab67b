package live.retwis.account;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class AccountSuspensionTests {

	private final Site site = Site.shared();

	private final Visitor alice = Visitor.registered(this.site);

	private static ConditionFactory soon() {
		return Awaitility.await().atMost(Duration.ofSeconds(20));
	}

	private void suspend(Visitor user) {
		assertThat(this.site.bean(AccountSuspension.class).set(user.id(), true).block()).isTrue();
	}

	private void restore(Visitor user) {
		assertThat(this.site.bean(AccountSuspension.class).set(user.id(), false).block()).isTrue();
	}

	@Test
	void everySessionAndStreamOfTheUserEndsOnEveryInstance() {
		try (Site other = Site.another()) {
			Visitor phone = Visitor.signedIn(other, this.alice.name());
			try (EventStream here = this.alice.open("/live/home"); EventStream there = phone.open("/live/home")) {
				List.of(here, there).forEach((stream) -> stream.await((event) -> event.name().equals("position")));
				phone.get("/home");
				suspend(this.alice);
				here.awaitEnd();
				there.awaitEnd();
			}
			assertThat(phone.postJson("body", "too late", "once", UUID.randomUUID().toString()).status())
				.isEqualTo(401);
			assertThat(phone.open("/live/home").status()).isEqualTo(401);
			assertThat(this.alice.isSignedIn() || phone.isSignedIn()).isFalse();
		}
	}

	@Test
	void loggingInIsRefusedWithTheReasonOnlyWhenThePasswordIsRight() {
		suspend(this.alice);
		Visitor device = Visitor.of(this.site);
		device.get("/login");
		assertThat(device.signIn(this.alice.name(), "wrong").status()).isEqualTo(401);
		Answer refused = device.signIn(this.alice.name(), Visitor.PASSWORD);
		assertThat(refused.status()).isEqualTo(403);
		assertThat(refused.errors()).containsExactly("This account is suspended.");
		assertThat(device.isSignedIn()).isFalse();
	}

	@Test
	void theUserAndThePostsAreHiddenAndComeBackWhenRestored() {
		Visitor bob = Visitor.registered(this.site);
		bob.follow(this.alice);
		String post = this.alice.post("seen again later");
		String profile = "/@" + this.alice.name();
		List<String> lists = List.of("/home", "/timeline");
		lists.forEach((list) -> soon().until(() -> bob.get(list).postIds().contains(post)));
		suspend(this.alice);
		soon().until(() -> bob.get(profile).status() == 404);
		assertThat(bob.get(profile).body()).contains("This account is suspended.");
		assertThat(bob.get("/posts/" + post).status()).isEqualTo(404);
		assertThat(bob.get(profile + "/followers").status()).isEqualTo(404);
		assertThat(bob.get(profile + "/feed").status()).isEqualTo(404);
		lists.forEach((list) -> assertThat(bob.get(list).body()).doesNotContain(this.alice.name()));
		assertThat(bob.get("/@" + bob.name() + "/following").body()).doesNotContain(this.alice.name());
		Visitor stranger = Visitor.of(this.site);
		stranger.get("/register");
		assertThat(stranger.register(this.alice.name(), Visitor.PASSWORD).status()).isEqualTo(409);
		restore(this.alice);
		soon().until(() -> bob.get(profile).postIds().contains(post));
		lists.forEach((list) -> assertThat(bob.get(list).postIds()).contains(post));
		assertThat(bob.get("/posts/" + post).posts()).containsExactly("seen again later");
		assertThat(bob.get("/@" + bob.name() + "/following").body()).contains(this.alice.name());
		assertThat(this.alice.isSignedIn()).as("a session from before").isFalse();
		assertThat(Visitor.signedIn(this.site, this.alice.name()).isSignedIn()).isTrue();
	}

	@Test
	void openPagesLoseThePostsAndReadAgainWhenTheUserIsRestored() {
		Visitor bob = Visitor.registered(this.site);
		bob.follow(this.alice);
		try (EventStream home = bob.open("/live/home"); EventStream profile = bob.open("/live/@" + this.alice.name())) {
			this.alice.post("live");
			List<EventStream> streams = List.of(home, profile);
			streams.forEach((stream) -> stream.awaitPost("live"));
			String before = home.lastEventId();
			suspend(this.alice);
			streams.forEach((stream) -> stream
				.await((event) -> event.name().equals("gone") && event.data().equals(this.alice.id())));
			restore(this.alice);
			streams.forEach((stream) -> stream.await((event) -> event.name().equals("reset")));
			try (EventStream resumed = bob.open("/live/home", "Last-Event-ID", before)) {
				resumed.await((event) -> event.name().equals("reset"));
				assertThat(resumed.events()).extracting(EventStream.Event::name)
					.filteredOn((name) -> !name.equals("position"))
					.startsWith("gone", "reset");
			}
		}
	}

	@Test
	void pagesThatShowThePostsThroughARepostReadAgainToo() {
		Visitor bob = Visitor.registered(this.site);
		Visitor carol = Visitor.registered(this.site);
		bob.follow(carol);
		String post = this.alice.post("reposted");
		carol.get("/posts/" + post);
		carol.submit("/posts/" + post + "/repost");
		soon().until(() -> bob.get("/home").postIds().contains(post));
		try (EventStream home = bob.open("/live/home"); EventStream profile = bob.open("/live/@" + carol.name())) {
			List<EventStream> streams = List.of(home, profile);
			streams.forEach((stream) -> stream.await((event) -> event.name().equals("position")));
			String before = home.lastEventId();
			suspend(this.alice);
			streams.forEach((stream) -> stream
				.await((event) -> event.name().equals("gone") && event.data().equals(this.alice.id())));
			restore(this.alice);
			streams.forEach((stream) -> stream.await((event) -> event.name().equals("reset")));
			try (EventStream resumed = bob.open("/live/home", "Last-Event-ID", before)) {
				resumed.await((event) -> event.name().equals("reset"));
			}
		}
	}

	@Test
	void aPostThatWasUnderWayReachesItsReadersWhenTheUserIsRestored() {
		Visitor bob = Visitor.registered(this.site);
		bob.follow(this.alice);
		String post = this.alice.post("committed, and then suspended");
		suspend(this.alice);
		soon().until(() -> this.site.redis().zscore(Keys.homeTimeline(bob.id()), post) != null);
		restore(this.alice);
		soon().until(() -> bob.get("/home").postIds().contains(post));
	}

	@Test
	void suspendingAgainChangesNothing() {
		suspend(this.alice);
		String generation = this.site.redis().hget("user:" + this.alice.id(), "auth");
		suspend(this.alice);
		assertThat(this.site.redis().hget("user:" + this.alice.id(), "auth")).isEqualTo(generation);
		restore(this.alice);
		restore(this.alice);
		assertThat(this.site.redis().zscore(Keys.SUSPENDED, this.alice.id())).isNull();
		assertThat(this.site.bean(AccountSuspension.class).set("0AAAAAAAAAAAA", true).block()).isFalse();
	}

	@Test
	void aSuspensionThatBrokeOffAfterItsCommitIsLoggedByAnyInstance() {
		String id = this.alice.id();
		this.site.redis().hset("user:" + id, "state", "suspended");
		this.site.redis().hincrby("user:" + id, "auth", 1);
		this.site.redis().zadd(Keys.INTENTS, 1, "suspension " + id + " suspend nonce");
		soon().until(() -> this.site.redis().zscore(Keys.SUSPENDED, id) != null);
		soon().until(() -> Visitor.of(this.site).get("/@" + this.alice.name()).status() == 404);
	}

	@Test
	void anInstanceThatStartsLaterHidesThePostsToo() {
		String post = this.alice.post("hidden from the start");
		suspend(this.alice);
		try (Site later = Site.another()) {
			assertThat(Visitor.of(later).get("/timeline").postIds()).doesNotContain(post);
			assertThat(Visitor.of(later).get("/posts/" + post).status()).isEqualTo(404);
		}
	}

	@Test
	void aTextThatWasShownMeanwhileMentionsTheUserAgainWhenRestored() {
		Visitor bob = Visitor.registered(this.site);
		suspend(this.alice);
		soon().until(() -> bob.get("/@" + this.alice.name()).status() == 404);
		String post = bob.post("greets @" + this.alice.name());
		String link = "<a href=\"/@" + this.alice.name() + "\">";
		assertThat(bob.get("/posts/" + post).body()).doesNotContain(link);
		restore(this.alice);
		soon().untilAsserted(() -> assertThat(bob.get("/posts/" + post).body()).contains(link));
	}

}
