package live.retwis.post;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import live.retwis.fanout.FanOutDispatcher;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLog;
import live.retwis.log.LogEntry;
import live.retwis.redis.Keys;
import live.retwis.repost.RepostRepository;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A fail-over loses the deletion of a post: its mark, and its entry in the log. A command
 * that an instance had sent because of this deletion arrives after that. Then the post is
 * deleted again, so that no part of it is missing while the rest is there.
 */
@ExtendWith(RedisExtension.class)
class LostDeletionTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private static final String IDLE = "--retwis.fan-out.worker=false";

	private static FaultProxy way;

	private static Site site;

	/** An instance whose commands may be held. */
	private static Site slow;

	private Visitor author;

	private Visitor other;

	private String post;

	private Map<String, String> before;

	@BeforeAll
	static void start(@OwnRedis TestRedis redis) {
		way = redis.proxy();
		site = Site.start(redis, IDLE);
		slow = Site.startAt("127.0.0.1", way.port(), IDLE, "--spring.data.redis.timeout=20s");
	}

	@BeforeEach
	void post() {
		this.author = Visitor.registered(site);
		this.other = Visitor.registered(site);
		this.post = this.author.post("deleted, and there again");
		this.before = site.redis().hgetall(Keys.post(this.post));
	}

	@AfterAll
	static void stop() {
		slow.close();
		site.close();
		way.close();
	}

	@Test
	void whileAWorkerTakesThePostOutOfItsLists() {
		delete(this.author, this.post);
		LogEntry deletion = entries(LogEntry.Type.DELETE, this.post).get(0);
		heldAt(SentCommand.with(Keys.postsOf(this.author.id())),
				() -> slow.bean(FanOutDispatcher.class).apply(deletion).block(BOUND),
				() -> lose(this.post, this.before));
		assertThat(site.redis().zrange(Keys.postsOf(this.author.id()), 0, -1)).isEmpty();
		assertDeletedAgain(this.post);
	}

	@Test
	void whileTheRepliesToThePostAreForgotten() {
		assertThat(this.other.submit("/posts", "body", "an answer", "reply_to", this.post).status()).isEqualTo(303);
		String reply = site.redis().zrange(Keys.postsOf(this.other.id()), 0, 0).get(0);
		delete(this.author, this.post);
		LogEntry replied = entries(LogEntry.Type.POST, reply).get(0);
		Post known = Objects.requireNonNull(slow.bean(RenderedPosts.class).require(reply).block(BOUND));
		heldAt(SentCommand.with(Keys.replies(this.post)).and(SentCommand.named("EXPIRE", "PEXPIRE")),
				() -> slow.bean(ReplyCountUpdater.class).posted(known, replied.position()).block(BOUND),
				() -> lose(this.post, this.before));
		assertDeletedAgain(this.post);
	}

	@Test
	void whileARepostIsTakenBack() {
		this.other.submit("/posts/" + this.post + "/repost");
		String repost = Objects
			.requireNonNull(slow.bean(RepostRepository.class).find(this.post, this.other.id()).block(BOUND));
		Map<String, String> reposted = site.redis().hgetall(Keys.post(repost));
		heldAt(SentCommand.with(Keys.reposts(this.post)).and(SentCommand.containing(repost)),
				() -> this.other.sentTo(slow.url("")).submit("/posts/" + this.post + "/unrepost"),
				() -> lose(repost, reposted));
		assertDeletedAgain(repost);
	}

	@Test
	void beforeItIsLogged() {
		heldAt(SentCommand.with(Keys.LOG).and(SentCommand.containing(this.post)),
				() -> delete(this.author.sentTo(slow.url("")), this.post), () -> {
					List<String> intents = site.redis().zrange(Keys.INTENTS, 0, -1);
					assertThat(intents).anyMatch((intent) -> intent.contains(this.post));
					intents.forEach((intent) -> site.redis().zrem(Keys.INTENTS, intent));
					lose(this.post, this.before);
				});
		assertDeletedAgain(this.post);
	}

	private static void delete(Visitor author, String post) {
		assertThat(author.submit("/posts/" + post + "/delete").status()).isEqualTo(303);
	}

	/** Does something, and something else while a command of it is held. */
	private static void heldAt(Predicate<SentCommand> command, Runnable work, Runnable meanwhile) {
		CompletableFuture<Void> working;
		try (Interception held = way.at(command).holdCommand()) {
			working = CompletableFuture.runAsync(work);
			held.awaitMet();
			meanwhile.run();
		}
		working.orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join();
	}

	private static void lose(String post, Map<String, String> before) {
		site.redis().del(Keys.post(post));
		site.redis().hset(Keys.post(post), before);
		entries(LogEntry.Type.DELETE, post).forEach((entry) -> site.redis().xdel(Keys.LOG, entry.position().entryId()));
	}

	private static void assertDeletedAgain(String post) {
		assertThat(site.redis().hkeys(Keys.post(post))).contains("deleted");
		assertThat(entries(LogEntry.Type.DELETE, post)).hasSize(1);
	}

	private static List<LogEntry> entries(LogEntry.Type type, String post) {
		return Objects.requireNonNull(site.bean(CommitLog.class)
			.between("-", "+")
			.filter((entry) -> entry.type() == type && entry.post().equals(post))
			.collectList()
			.block(BOUND));
	}

}
