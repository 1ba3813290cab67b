package live.retwis.doctor;

import java.awt.Color;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Pictures;
import live.retwis.testing.Site;
import live.retwis.testing.Traces;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nothing of a deleted account is left in any key that the doctor knows. The user has
 * used every feature, and others have used every feature on the user.
 */
@Tag("slow")
@Timeout(120)
@ExtendWith(RedisExtension.class)
class DeletedAccountTests {

	private static final Duration SOON = Duration.ofSeconds(60);

	private static final Duration DAY = Duration.ofDays(1);

	/** Long-lived keys that have nothing of the user, and why. */
	private static final Map<String, String> WITHOUT_THE_USER = Map.ofEntries(
			Map.entry("timeline:", "no longer written"), Map.entry("{timeline:", "no longer written"),
			Map.entry("{followers:", "further lists, of more than 10,000 followers"),
			Map.entry(Keys.TAGS, "tags that have a list, by their beginning"),
			Map.entry("{trending}:", "numbers of tags"), Map.entry(Keys.SUSPENDED, "suspended users"),
			Map.entry(Keys.CLOSED_ACCOUNTS, "deleted accounts"), Map.entry(Keys.DEAD_LETTERS, "what has failed"),
			Map.entry(Keys.FAN_OUT_TASKS, "what waits"), Map.entry(Keys.UNFINISHED, "what waits"),
			Map.entry(Keys.POSTPONED, "what waits"), Map.entry(Keys.POSTPONED_BY_COMMIT, "what waits"),
			Map.entry(Keys.INTENTS, "what is not finished"), Map.entry(Keys.REGISTRATION, "a setting"),
			Map.entry(Keys.MODERATION_LOG, "operators"), Map.entry(Keys.IMPORT_MARKS, "numbers"),
			Map.entry(Keys.LOCK_SET, "lock nodes"), Map.entry(Keys.LAB_RUNS, "runs of the lab"),
			Map.entry(Keys.LAB_RUN, "runs of the lab"), Map.entry(Keys.ARCHIVE_SITE, "no archive"),
			Map.entry(Keys.ARCHIVE_DELETED, "no archive"), Map.entry(Keys.ARCHIVE_CLOSED, "no archive"),
			Map.entry(Keys.ARCHIVE_COUNTS, "no archive"), Map.entry(Keys.ARCHIVE_UNINDEXED, "no archive"),
			Map.entry(Keys.ARCHIVE_INDEXED, "no archive"), Map.entry(Keys.ARCHIVE_TAGS, "no archive"),
			Map.entry(Keys.ARCHIVE_LISTS, "no archive"), Map.entry("in-use:", "no archive"));

	private static final List<String> UNDER_WAY = List.of(Keys.INTENTS, Keys.FAN_OUT_TASKS, Keys.UNFINISHED,
			Keys.POSTPONED, Keys.POSTPONED_BY_COMMIT);

	/** Most posts of a home timeline. */
	private static final int SIZE = 5;

	private static void done(Visitor visitor, String path, String... fields) {
		Answer answer = visitor.submit(path, fields);
		assertThat(answer.status()).as(path + " " + answer.body()).isEqualTo(303);
	}

	private static void react(Visitor visitor, String post) {
		Stream.of("like", "repost", "bookmark").forEach((button) -> done(visitor, "/posts/" + post + "/" + button));
		done(visitor, "/posts/" + post + "/report", "reason", "spam");
	}

	private static String repostOf(Site site, Visitor visitor, String post) {
		return Objects.requireNonNull(site.redis().hget(Keys.reposts(post), visitor.id()));
	}

	@Test
	void nothingIsLeftOfAUserOfEveryFeature(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, "--retwis.timeline.size=" + SIZE, "--retwis.timeline.push-limit=1")) {
			Visitor leaver = Visitor.registered(site);
			Visitor friend = Visitor.registered(site);
			Visitor follower = Visitor.registered(site);
			Visitor muted = Visitor.registered(site);
			Visitor blocked = Visitor.registered(site);
			Visitor muter = Visitor.registered(site);
			Visitor blocker = Visitor.registered(site);
			String id = leaver.id();
			assertThat(leaver
				.submitParts("/settings/profile", "name", "Zoe Qwertzu", "bio", "knows xylomancy", "picture",
						Pictures.plain("png", 300, 200, Color.BLUE))
				.status()).isEqualTo(303);
			Visitor.signedIn(site, leaver.name());
			String asked = friend.post("a question");
			leaver.follow(friend);
			follower.follow(leaver);
			follower.get("/home");
			leaver.get("/home");
			String tagged = leaver.post("#vanishing for @" + friend.name() + ", wordlessly");
			// With a second follower, the author's posts are pulled from here on.
			friend.follow(leaver);
			IntStream.range(0, SIZE).forEach((i) -> friend.post("fills a timeline " + i));
			FanOutWait.settle(site);
			String answer = leaver.reply(asked, "an answer");
			String thanks = friend.reply(tagged, "thanks");
			react(leaver, asked);
			react(friend, tagged);
			friend.post("hello @" + leaver.name());
			done(leaver, "/@" + muted.name() + "/mute");
			done(leaver, "/@" + blocked.name() + "/block");
			done(muter, "/@" + leaver.name() + "/mute");
			done(blocker, "/@" + leaver.name() + "/block");
			FanOutWait.settle(site);
			leaver.get("/notifications");
			leaver.get("/home");
			List<String> posts = List.of(tagged, answer, repostOf(site, leaver, asked), repostOf(site, friend, tagged));
			String picture = Objects.requireNonNull(site.redis().hget(Keys.user(id), "picture"));

			Set<String> ofUser = new TreeSet<>(Traces.lasting(site, id));
			assertThat(ofUser).contains(Keys.user(id), Keys.picture(id), Keys.username(leaver.name()),
					Keys.sessionsOf(id), Keys.devicesOf(id), Keys.NAMES + "z", Keys.RECENT_USERS, Keys.followers(id),
					Keys.PULLED_AUTHORS, Keys.following(id), Keys.followers(friend.id()), Keys.following(friend.id()),
					Keys.muted(id), Keys.blocked(id), Keys.muted(muter.id()), Keys.blocked(blocker.id()),
					Keys.postsOf(id), Keys.homeTimeline(id), Keys.homeCompleteFrom(id), Keys.liked(id),
					Keys.bookmarks(id), Keys.mentions(id), Keys.notifications(id), Keys.notificationsRead(id),
					Keys.likes(asked), Keys.reposts(asked), Keys.REPORTS_OF + asked, Keys.notifications(friend.id()));
			assertThat(ofUser).anyMatch((key) -> key.startsWith(Keys.session("")));
			Set<String> ofPost = new TreeSet<>(Traces.lasting(site, tagged));
			assertThat(ofPost).contains(Keys.post(tagged), Keys.tag("vanishing"), Keys.word("wordlessly"),
					Keys.wordsOf(tagged), Keys.mentions(friend.id()), Keys.bookmarks(friend.id()),
					Keys.liked(friend.id()), Keys.PUBLIC_TIMELINE, Keys.homeTimeline(follower.id()),
					Keys.replies(tagged), Keys.likes(tagged), Keys.reposts(tagged), Keys.REPORTS,
					Keys.REPORTS_OF + tagged);
			ofPost.addAll(Traces.lasting(site, answer));
			assertThat(ofPost).contains(Keys.replies(asked), Keys.pulledOf(id));
			assertThat(Traces.lasting(site, "qwertzu")).contains(Keys.NAMES + "q");
			assertThat(Traces.lasting(site, picture)).contains(Keys.user(id));
			for (String query : List.of("qwertzu", "wordlessly", "%23vanishing")) {
				assertThat(follower.get("/search?q=" + query).body()).as(query)
					.containsAnyOf("/@" + leaver.name(), "/tags/vanishing");
			}
			assertKeysAreKnown(site, Stream.concat(ofUser.stream(), ofPost.stream()).toList());

			done(leaver, "/settings/delete", "password", Visitor.PASSWORD);
			// The posts of others say to what they reply.
			Map<String, List<String>> left = Map.of(tagged, List.of(Keys.post(thanks)));
			Awaitility.await("nothing of the user").atMost(SOON).untilAsserted(() -> {
				// Those who keep the user in a list of their own clean it up as they read
				// it.
				friend.get("/notifications");
				friend.get("/bookmarks");
				muter.get("/settings/muted");
				blocker.get("/settings/blocked");
				Stream.concat(posts.stream(), Stream.of(id, "qwertzu", "Qwertzu", "xylomancy", picture))
					.forEach((word) -> Traces.assertNone(site, word, left.getOrDefault(word, List.of())));
			});
			for (String query : List.of(leaver.name(), "qwertzu", "wordlessly", "%23vanishing")) {
				assertThat(follower.get("/search?q=" + query).body()).as(query)
					.doesNotContain("/@" + leaver.name(), "/tags/vanishing");
			}
		}
	}

	/**
	 * The user is in every key that lives longer than a day, with named exceptions. Some
	 * of these have what is under way, which may still be the user's.
	 */
	private static void assertKeysAreKnown(Site site, List<String> keys) {
		Set<String> without = DataModelDocumentTests.schemas(site)
			.stream()
			.filter((schema) -> schema.life() == null || schema.life().compareTo(DAY) > 0)
			.filter((schema) -> UNDER_WAY.contains(schema.prefix()) || keys.stream().noneMatch(schema::has))
			.map(KeySchema::prefix)
			.collect(Collectors.toSet());
		assertThat(without).as("keys that the scene lacks").isEqualTo(WITHOUT_THE_USER.keySet());
	}

}
