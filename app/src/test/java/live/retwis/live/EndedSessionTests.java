package live.retwis.live;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import live.retwis.redis.Keys;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EndedSessionTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	private final Site site = Site.shared();

	private void like(Visitor visitor, String post) {
		visitor.get("/posts/" + post);
		assertThat(visitor.submit("/posts/" + post + "/like").status()).isEqualTo(303);
	}

	/** A reader ends the session of a lost phone. The page on the laptop goes on. */
	@Test
	void theNumberOfUnreadNotificationsGoesOnWhenAnotherSessionOfTheReaderEnds() {
		Visitor laptop = Visitor.registered(this.site);
		Visitor phone = Visitor.signedIn(this.site, laptop.name());
		Visitor friend = Visitor.registered(this.site);
		String first = laptop.post("one");
		String second = laptop.post("two");
		try (EventStream stream = laptop.open("/live/public")) {
			stream.await((event) -> event.name().equals("position"));
			like(friend, first);
			stream.await((event) -> event.name().equals("notify") && event.data().contains("1"));
			String page = laptop.get("/settings/sessions").body();
			Matcher end = Pattern.compile("/settings/sessions/([0-9a-f]+)/end").matcher(page);
			boolean ended = false;
			while (end.find() && !ended) {
				laptop.get("/settings/sessions");
				laptop.submit("/settings/sessions/" + end.group(1) + "/end");
				ended = !phone.isSignedIn();
			}
			assertThat(ended).isTrue();
			assertThat(laptop.isSignedIn()).isTrue();
			like(friend, second);
			Awaitility.await()
				.atMost(SOON)
				.untilAsserted(() -> assertThat(
						stream.events("notify").stream().anyMatch((e) -> e.data().contains("2")) || stream.isEnded())
					.as("told, or ended so that the page opens it again")
					.isTrue());
		}
	}

	/** Somebody else logs in, in the same browser. */
	@Test
	void theHomeStreamOfWhoWasLoggedInBeforeEnds() {
		Visitor one = Visitor.registered(this.site);
		Visitor other = Visitor.registered(this.site);
		Visitor author = Visitor.registered(this.site);
		one.follow(author);
		try (EventStream stream = one.open("/live/home")) {
			stream.await((event) -> event.name().equals("position"));
			one.get("/login");
			String before = one.cookieHeader();
			one.signIn(other.name(), Visitor.PASSWORD);
			assertThat(one.cookieHeader()).isNotEqualTo(before);
			author.post("after the session was over");
			assertThat(stream.endsWithin(Duration.ofSeconds(5))).isTrue();
		}
	}

	/** Nobody knows the password, nor has a session. */
	@Test
	@Tag("slow")
	@Tag("long")
	void aMadeUpCookieDoesNotMakeTheSiteBuildSomebodysTimeline() {
		Visitor reader = Visitor.registered(this.site);
		Visitor author = Visitor.registered(this.site);
		reader.follow(author);
		author.post("hello");
		String timeline = Keys.homeTimeline(reader.id());
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().zcard(timeline) == 1);
		this.site.redis().del(timeline);
		this.site.redis().del(Keys.homeCompleteFrom(reader.id()));
		staysAway(timeline);
		Visitor stranger = Visitor.of(this.site);
		stranger.plant("auth", reader.id() + "." + "A".repeat(43), "/");
		assertThat(stranger.get("/home").status()).isEqualTo(303);
		staysAway(timeline);
	}

	private void staysAway(String key) {
		Awaitility.await()
			.during(Duration.ofSeconds(3))
			.atMost(Duration.ofSeconds(5))
			.untilAsserted(() -> assertThat(this.site.redis().exists(key)).isZero());
	}

}
