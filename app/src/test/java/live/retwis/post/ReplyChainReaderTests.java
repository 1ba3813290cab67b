package live.retwis.post;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** What a post replies to, in conversations that are long or have lost posts. */
@ExtendWith(RedisExtension.class)
class ReplyChainReaderTests {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	/** Reads the hash of a post. */
	private static final Predicate<SentCommand> READS_POST = SentCommand.named("HMGET")
		.and((command) -> command.arguments().get(0).startsWith(Keys.post("")));

	/** Posts that are all deleted, each a reply to the one before it. */
	private static List<String> deleted(Site site, int posts) {
		List<String> ids = IntStream.range(0, posts).mapToObj("%013d"::formatted).toList();
		site.redis().hset(Keys.post(ids.get(0)), Map.of("author", ids.get(0), "deleted", "mark"));
		IntStream.range(1, posts)
			.forEach((i) -> site.redis()
				.hset(Keys.post(ids.get(i)),
						Map.of("author", ids.get(0), "deleted", "mark", "reply_to", ids.get(i - 1))));
		return ids;
	}

	@Test
	void aLongConversationIsReadOnAboveTheTwentiethPost() {
		Visitor author = Visitor.registered(Site.shared());
		List<String> ids = new ArrayList<>(List.of(author.post("post 0")));
		for (int i = 1; i <= 25; i++) {
			ids.add(author.reply(ids.get(i - 1), "post " + i));
		}
		String earlier = "<a href=\"/posts/%s\">Earlier posts of this conversation</a>";
		Answer last = author.get("/posts/" + ids.get(25));
		assertThat(last.postIds()).startsWith(ids.get(5)).contains(ids.get(24)).doesNotContain(ids.get(4));
		assertThat(last.body()).contains(earlier.formatted(ids.get(5)));
		Answer before = author.get("/posts/" + ids.get(5));
		assertThat(before.postIds()).startsWith(ids.get(0), ids.get(1));
		assertThat(before.body()).doesNotContain("Earlier posts");
		assertThat(author.get("/posts/" + ids.get(20)).body()).as("exactly twenty above").doesNotContain("Earlier");
	}

	@Test
	void deletedPostsAreReadOnceAndNoMoreThanTwentyOfThem(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			List<String> ids = deleted(site, 100);
			ReplyChainReader chain = site.bean(ReplyChainReader.class);
			try (Interception reads = way.at(READS_POST).watch()) {
				List<String> found = chain.from(ids.get(99)).block(LIMIT);
				assertThat(found).hasSize(21).startsWith(ids.get(99), ids.get(98)).endsWith(ids.get(79));
				int first = reads.met();
				assertThat(first).isLessThanOrEqualTo(21);
				assertThat(chain.from(ids.get(99)).block(LIMIT)).isEqualTo(found);
				assertThat(reads.met()).as("from the cache").isEqualTo(first);
			}
		}
	}

	@Test
	void aDeletedFirstPostHasNoPlaceAboveTheOthersAndAHiddenOneEndsThem() {
		Visitor author = Visitor.registered(Site.shared());
		Visitor other = Visitor.registered(Site.shared());
		Visitor reader = Visitor.registered(Site.shared());
		String first = author.post("first");
		String second = other.reply(first, "second");
		String third = author.reply(second, "third");
		String fourth = author.reply(third, "fourth");
		String last = author.reply(fourth, "last");
		String gone = "<p class=\"gone parent\">A deleted post.</p>";
		delete(author, third);
		delete(author, fourth);
		assertThat(reader.get("/posts/" + last).texts()).containsExactly("first", "second", "last");
		assertThat(reader.get("/posts/" + last).body().split(gone)).as("two of them").hasSize(3);
		assertThat(bodiesAbove(reader, last)).containsExactly("first", "second", null, null);
		delete(author, first);
		assertThat(reader.get("/posts/" + last).texts()).containsExactly("second", "last");
		assertThat(reader.get("/posts/" + last).body().split(gone)).hasSize(3);
		assertThat(bodiesAbove(reader, last)).containsExactly("second", null, null);
		reader.get("/@" + other.name());
		reader.submit("/@" + other.name() + "/mute");
		assertThat(reader.get("/posts/" + last).texts()).containsExactly("last");
		assertThat(bodiesAbove(reader, last)).isEmpty();
		assertThat(reader.get("/posts/" + last).body()).doesNotContain(gone)
			.contains("The post that this one replies to has been deleted.");
	}

	/** What a program gets of the posts above; null where it gets null. */
	private static List<@Nullable String> bodiesAbove(Visitor reader, String post) {
		List<@Nullable String> bodies = new ArrayList<>();
		reader.getJson("/posts/" + post)
			.json()
			.get("above")
			.forEach((above) -> bodies.add(above.isNull() ? null : above.get("body").asString()));
		return bodies;
	}

	private static void delete(Visitor author, String post) {
		author.get("/posts/" + post);
		assertThat(author.submit("/posts/" + post + "/delete").status()).isEqualTo(303);
	}

}
