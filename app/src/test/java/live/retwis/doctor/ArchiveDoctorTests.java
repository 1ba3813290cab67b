package live.retwis.doctor;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RestoreArgs;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.archive.ArchiveMarkers;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.startup.EmbeddedArchiveUrl;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What the doctor says of posts that have moved to the archive. */
@Timeout(120)
@ExtendWith(RedisExtension.class)
class ArchiveDoctorTests {

	private static final String SOUND = "Checked [\\d,]+ keys( and [\\d,]+ authors? in the archive)?: every rule holds\\.";

	/** Old enough to move. */
	private static final long AGE = 3 * BrokenStore.HOUR;

	private static final String[] NOTHING_THERE = { "--retwis.archive.url=r2dbc:postgresql://127.0.0.1:1/retwis",
			"--retwis.archive.username=retwis" };

	private final TestRedis server;

	private final Path directory;

	private final RedisClient client;

	private final RedisCommands<String, String> redis;

	private final BrokenStore broken;

	private final long now = System.currentTimeMillis();

	private final List<String> lines = new ArrayList<>();

	ArchiveDoctorTests(@OwnRedis TestRedis server, @TempDir Path directory) {
		this.server = server;
		this.directory = directory;
		this.client = RedisClient.create(server.uri());
		this.redis = this.client.connect().sync();
		this.broken = new BrokenStore(this.redis, this.now);
		this.broken.beginLog();
	}

	@AfterEach
	void close() {
		this.client.shutdown();
	}

	/** A site whose mover runs once, at the start. */
	private ExaminedSite start(String... settings) {
		return ExaminedSite.start(this.server,
				Stream
					.concat(Stream.of("--retwis.archive.url=" + EmbeddedArchiveUrl.in(this.directory),
							"--retwis.archive.after=1h", "--retwis.archive.every=1h"), Stream.of(settings))
					.toArray(String[]::new));
	}

	/** A user with posts that are old enough to move. */
	private String author(String name, int posts) {
		String author = this.broken.user(name);
		for (int i = 0; i < posts; i++) {
			post(author, i);
		}
		return author;
	}

	private String post(String author, int number) {
		long millis = this.now - AGE - number;
		String post = this.broken.unlisted(author, millis);
		this.redis.zadd(Keys.postsOf(author), (double) millis, post);
		return post;
	}

	private void awaitMoved(String author, int posts) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> Objects.equals(this.redis.zscore(Keys.postsOf(author), ArchiveMarkers.COUNT), (double) posts));
	}

	private static String archive(String author) {
		return ArchiveReader.POSTS_OF + author + ": ";
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void postsInTheArchiveBreakNoRuleInWhicheverListTheyAre() {
		String author = author("alice", 0);
		String post = post(author, 1);
		String reply = post(author, 2);
		String repost = post(author, 3);
		this.redis.hset(Keys.post(repost), "repost_of", post);
		this.redis.hset(Keys.reposts(post), author, repost);
		this.redis.zadd(Keys.replies(post), (double) this.now - AGE, reply);
		this.redis.zadd(Keys.likes(post), 1.0, author);
		this.redis.hset(Keys.post(post), Map.of("replies", "1", "likes", "1"));
		this.redis.zadd(Keys.liked(author), 1.0, post);
		this.redis.zadd(Keys.PUBLIC_TIMELINE, (double) this.now - AGE, post);
		this.redis.zadd(Keys.homeTimeline(author), (double) this.now - AGE, post);
		this.redis.expire(Keys.homeTimeline(author), 1000);
		this.redis.zadd(Keys.pulledOf(author), (double) this.now - AGE, post);
		this.redis.zadd(Keys.PULLED_AUTHORS, 0, author);
		try (ExaminedSite store = start()) {
			awaitMoved(author, 3);
			assertThat(this.redis.exists(Keys.post(post), Keys.post(reply), Keys.post(repost))).isZero();
			assertThat(store.waitAndExamine()).singleElement().asString().matches(SOUND);
		}
		this.redis.xadd(Keys.LOG, new XAddArgs().id((this.now - BrokenStore.HOUR) + "-0"),
				Map.of("nonce", "old", "type", "post", "post", post, "user", author));
		try (ExaminedSite store = start("--retwis.fan-out.worker=false")) {
			assertThat(store.examine()).singleElement().asString().matches(SOUND);
		}
	}

	@Test
	@Tag("slow")
	void aPostThatNeitherRedisNorTheArchiveHasIsMissing() {
		String author = author("alice", 1);
		String missing = this.broken.id(this.now - AGE);
		this.redis.zadd(Keys.PUBLIC_TIMELINE, (double) this.now - AGE, missing);
		String other = author("bob", 1);
		String others = this.redis.zrange(Keys.postsOf(other), 0, 0).get(0);
		try (ExaminedSite store = start()) {
			awaitMoved(author, 1);
			awaitMoved(other, 1);
			this.redis.zadd(Keys.postsOf(author), 1.0, others);
			assertThat(store.waitAndExamine())
				.contains("{live}:public: holds post " + missing + ", which does not exist; --fix removes it",
						Keys.postsOf(author) + ": holds post " + others + " of another author; --fix removes it")
				.hasSize(3);
		}
	}

	@Test
	@Tag("slow")
	void aPostInTheArchiveWhoseKeyHoldsSomethingElseIsNotCountedOut() {
		String author = author("alice", 0);
		String post = post(author, 1);
		try (ExaminedSite store = start()) {
			awaitMoved(author, 1);
			this.redis.set(Keys.post(post), "what?");
			assertThat(store.fix())
				.contains(Keys.post(post) + ": is a string, but should be a hash; move it away by hand")
				.noneMatch((line) -> line.startsWith(archive(author)));
			assertThat(this.redis.zscore(Keys.postsOf(author), ArchiveMarkers.MARK)).isNotNull();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aDamagedPostHidesNoOtherFindingOfItsList() {
		String author = author("alice", 0);
		long millis = this.now - BrokenStore.HOUR / 2;
		String damaged = this.broken.unlisted(author, millis);
		String missing = this.broken.id(millis + 1);
		this.redis.zadd(Keys.postsOf(author), (double) millis, damaged);
		this.redis.zadd(Keys.postsOf(author), millis + 1.0, missing);
		this.redis.del(Keys.post(damaged));
		this.redis.set(Keys.post(damaged), "what?");
		try (ExaminedSite store = start()) {
			assertThat(store.waitAndExamine()).contains(
					Keys.post(damaged) + ": is a string, but should be a hash; move it away by hand",
					Keys.postsOf(author) + ": holds post " + missing
							+ ", which does not exist; restore the post or remove it by hand");
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aNumberThatIsNoneDoesNotEndTheExamination() {
		String author = author("alice", 1);
		try (ExaminedSite store = start()) {
			awaitMoved(author, 1);
			this.redis.hset(Keys.user(author), Map.of("state", "deleted", "deleted", "what?"));
			assertThat(store.examine()).anyMatch((line) -> line.startsWith(archive(author)) && line.contains("number"));
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aListThatHoldsSomethingElseDoesNotEndTheExamination() {
		String author = author("alice", 1);
		String other = author("bob", 1);
		try (ExaminedSite store = start()) {
			awaitMoved(author, 1);
			awaitMoved(other, 1);
			this.broken.unlisted(author, this.now - BrokenStore.HOUR / 2);
			this.redis.set(Keys.postsOf(author), "what?");
			assertThat(store.examine())
				.contains(Keys.postsOf(author) + ": is a string, but should be a zset; move it away by hand");
		}
	}

	private void repairable(String violation, String remedy) {
		this.lines.add(violation + "; --fix " + remedy);
	}

	@Test
	@Tag("slow")
	void eachRuleOfTheArchiveIsLookedAtAndRepaired() {
		List<String> authors = IntStream.range(0, 8).mapToObj((i) -> author("user" + i, 3)).toList();
		String pulled = authors.get(5);
		this.redis.zrangeWithScores(Keys.postsOf(pulled), 0, -1)
			.forEach((post) -> this.redis.zadd(Keys.pulledOf(pulled), post.getScore(), post.getValue()));
		this.redis.zadd(Keys.PULLED_AUTHORS, 0, pulled);
		List<String> posts = authors.stream()
			.map((author) -> this.redis.zrange(Keys.postsOf(author), 0, 0).get(0))
			.toList();
		Map<String, String> doubled = this.redis.hgetall(Keys.post(posts.get(4)));
		try (ExaminedSite store = start()) {
			authors.forEach((author) -> awaitMoved(author, 3));
			leadsNowhere(authors.get(0), authors.get(1), pulled);
			this.redis.zadd(Keys.postsOf(authors.get(2)), 7, ArchiveMarkers.COUNT);
			repairable(archive(authors.get(2)) + "has 3 posts, but " + Keys.postsOf(authors.get(2)) + " says 7",
					"sets the number");
			this.redis.hset(Keys.post(posts.get(3)), Map.of("author", authors.get(3), "deleted", "1"));
			repairable(archive(authors.get(3)) + "has post " + posts.get(3)
					+ ", which is deleted, but not in {archive}:deleted", "adds it");
			this.redis.hset(Keys.post(posts.get(4)), doubled);
			this.redis.zadd(Keys.postsOf(authors.get(4)), (double) this.now - AGE, posts.get(4));
			this.redis.zadd(Keys.postsOf(authors.get(4)), 2, ArchiveMarkers.COUNT);
			repairable(archive(authors.get(4)) + "has post " + posts.get(4)
					+ ", which Redis has without the field archived", "sets the field");
			gone(authors.get(6), authors.get(7));
			notesOfRedis();
			lists(posts.get(0), authors.get(0));
			List<String> told = store.waitAndExamine();
			assertThat(told.subList(0, told.size() - 1)).containsExactlyInAnyOrderElementsOf(this.lines);
			store.fix();
			this.redis.zadd(Keys.ARCHIVE_CLOSED, (double) this.now, authors.get(7));
			assertThat(store.waitAndExamine()).singleElement().asString().matches(SOUND);
			assertThat(this.redis.zscore(Keys.postsOf(authors.get(0)), ArchiveMarkers.COUNT)).isEqualTo(3);
			assertThat(this.redis.zscore(Keys.postsOf(authors.get(1)), ArchiveMarkers.MARK)).isEqualTo(this.now - AGE);
			assertThat(this.redis.zscore(Keys.pulledOf(pulled), ArchiveMarkers.MARK)).isEqualTo(this.now - AGE);
			assertThat(this.redis.zscore(Keys.ARCHIVE_DELETED, posts.get(3))).isNotNull();
			assertThat(this.redis.hget(Keys.post(posts.get(4)), "archived")).isEqualTo("1");
		}
	}

	/** Lists that no mover would find, and one of a post that nobody has. */
	private void lists(String post, String user) {
		this.redis.zadd(Keys.likes(post), 1.0, user);
		this.redis.zadd(Keys.liked(user), 1.0, post);
		repairable(Keys.likes(post) + ": is a list of an archived post, but is not in {archive}:lists", "adds it");
		// Somebody whose account was deleted while the archive was away.
		this.redis.zadd(Keys.likes(post), -1, "0ZZZZZZZZZZZZ");
		String replies = Keys.listInUse(Keys.replies(post));
		this.redis.set(replies, "1");
		repairable(replies + ": is a list of an archived post, but is not in {archive}:lists", "adds it");
	}

	private void leadsNowhere(String author, String other, String pulled) {
		this.redis.zrem(Keys.postsOf(author), ArchiveMarkers.MARK, ArchiveMarkers.COUNT);
		this.redis.zadd(Keys.postsOf(other), (double) this.now - AGE - 1, ArchiveMarkers.MARK);
		this.redis.zrem(Keys.pulledOf(pulled), ArchiveMarkers.MARK, ArchiveMarkers.COUNT);
		repairable(archive(author) + "has posts to which " + Keys.postsOf(author) + " does not lead",
				"lets it lead there");
		repairable(archive(other) + "has posts to which " + Keys.postsOf(other) + " does not lead",
				"lets it lead there");
		repairable(archive(pulled) + "has posts to which " + Keys.pulledOf(pulled) + " does not lead",
				"lets it lead there");
	}

	private void gone(String closed, String lost) {
		for (String user : List.of(closed, lost)) {
			String name = this.redis.hget(Keys.user(user), "username");
			this.redis.del(Keys.postsOf(user), Keys.username(name), Keys.user(user));
			this.redis.zrem(Keys.NAMES + "u", name + " " + user);
		}
		this.redis.hset(Keys.user(closed), Map.of("state", "deleted", "deleted", Long.toString(this.now - AGE)));
		repairable(archive(closed) + "its user has deleted the account, but is not in {archive}:closed",
				"adds the user");
		this.lines.add(archive(lost) + "its user " + lost
				+ " does not exist; restore the user or delete the posts in the database by hand");
	}

	private void notesOfRedis() {
		String young = this.broken.user("young");
		String post = this.broken.unlisted(young, this.now);
		this.redis.zadd(Keys.postsOf(young), (double) this.now, post);
		this.redis.zadd(Keys.ARCHIVE_DELETED, (double) this.now, post);
		repairable("{archive}:deleted: holds post " + post + ", which is not deleted", "removes it");
		String untold = this.broken.id(this.now - AGE);
		this.redis.hset(Keys.post(untold), Map.of("author", young, "deleted", "1", "archived", "1"));
		repairable(Keys.post(untold) + ": is deleted, but the archive may have it, and it is not in {archive}:deleted",
				"adds it");
		String empty = this.broken.user("vera");
		this.redis.zadd(Keys.postsOf(empty), (double) this.now - AGE, ArchiveMarkers.MARK);
		this.redis.zadd(Keys.postsOf(empty), 4, ArchiveMarkers.COUNT);
		repairable(Keys.postsOf(empty) + ": says that 4 posts are in the archive, which has none", "removes that");
		this.redis.set(Keys.ARCHIVE_MOVER, "somebody");
		repairable("{archive}:mover: never expires", "makes it expire after PT2M");
		this.redis.set(Keys.ARCHIVED + "65535", "0A");
		repairable("archived:65535: never expires", "makes it expire after PT10M");
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void findsNothingWrongWhilePostsMoveAndAreDeleted() throws InterruptedException, ExecutionException {
		ExecutorService thread = Executors.newSingleThreadExecutor();
		try (ExaminedSite store = ExaminedSite.start(this.server,
				"--retwis.archive.url=" + EmbeddedArchiveUrl.in(this.directory), "--retwis.archive.after=1h",
				"--retwis.archive.every=20ms")) {
			Visitor author = Visitor.registered(store.site());
			AtomicBoolean end = new AtomicBoolean();
			AtomicInteger deleted = new AtomicInteger();
			Future<?> deletions = thread.submit(() -> {
				while (!end.get()) {
					String post = post(author.id(), deleted.get());
					post(author.id(), deleted.get());
					assertThat(author.submit("/posts/" + post + "/delete").status()).isEqualTo(303);
					deleted.incrementAndGet();
				}
			});
			List<String> told = new ArrayList<>();
			int examinations = 0;
			while (examinations < 4 || (deleted.get() <= 10 && !deletions.isDone())) {
				told.addAll(store.examine());
				examinations++;
			}
			end.set(true);
			deletions.get();
			assertThat(told).hasSize(examinations).allMatch((line) -> line.contains("every rule holds"));
			assertThat(store.waitAndExamine()).singleElement().asString().matches(SOUND);
			assertThat(store.redis().zscore(Keys.postsOf(author.id()), ArchiveMarkers.COUNT)).isPositive();
		}
		finally {
			thread.shutdownNow();
		}
	}

	/** The backup of Redis is taken first, then posts move, then the other backup. */
	@Test
	@Tag("slow")
	@Tag("long")
	void postsThatMovedBetweenTwoBackupsAreInBothAndMoveAgain() {
		String author = author("alice", 3);
		List<String> posts = this.redis.zrange(Keys.postsOf(author), 0, -1);
		byte[] list = this.redis.dump(Keys.postsOf(author));
		List<byte[]> hashes = posts.stream().map((post) -> this.redis.dump(Keys.post(post))).toList();
		try (ExaminedSite store = start()) {
			awaitMoved(author, 3);
		}
		this.redis.restore(Keys.postsOf(author), list, RestoreArgs.Builder.ttl(0).replace());
		for (int i = 0; i < posts.size(); i++) {
			this.redis.restore(Keys.post(posts.get(i)), 0, hashes.get(i));
			repairable(archive(author) + "has post " + posts.get(i) + ", which Redis has without the field archived",
					"sets the field");
		}
		try (ExaminedSite store = start("--retwis.fan-out.worker=false")) {
			assertThat(store.examine()).hasSize(4).containsAll(this.lines);
			store.fix();
			assertThat(store.examine()).singleElement().asString().matches(SOUND);
		}
		this.redis.del(Keys.ARCHIVE_MOVER);
		try (ExaminedSite store = start()) {
			awaitMoved(author, 3);
			assertThat(store.waitAndExamine()).singleElement().asString().matches(SOUND);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aUserWhoIsThereIsNotToBeErasedFromTheArchive() {
		String alice = author("alice", 0);
		try (ExaminedSite store = start("--retwis.fan-out.worker=false")) {
			// The site itself erases what is named here, and then forgets it.
			List<Finding> findings = Awaitility.await().until(() -> {
				this.redis.zadd(Keys.ARCHIVE_CLOSED, (double) this.now, alice);
				return store.look(Keys.ARCHIVE_CLOSED);
			}, (found) -> !found.isEmpty());
			assertThat(findings).singleElement()
				.satisfies((finding) -> assertThat(finding.violation().what())
					.isEqualTo("holds user " + alice + ", whose account is not deleted"));
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void anArchiveThatIsAwayIsToldOnceAndItsPostsAreNotMissing() {
		String alice = author("alice", 0);
		leavesTraces(alice);
		try (ExaminedSite store = ExaminedSite.start(this.server, NOTHING_THERE)) {
			List<String> told = store.waitAndExamine();
			assertThat(told).hasSize(2)
				.contains("{archive}:site: the archive of old posts does not answer, so its posts are not checked; "
						+ "start its database and run this command again");
			assertThat(told.get(1))
				.matches(".* 1 violation\\. The archive did not answer \\d+ times, so not everything is checked\\.");
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aSiteWithAnArchiveIsNotJudgedWithoutIt() {
		String alice = author("alice", 0);
		leavesTraces(alice);
		try (ExaminedSite store = ExaminedSite.start(this.server)) {
			List<String> told = store.waitAndExamine();
			assertThat(told).hasSize(2)
				.contains("{archive}:site: old posts are in an archive, but retwis.archive.url is not set, "
						+ "so they are not checked; give this command the settings of the instances");
			this.redis.del(Keys.ARCHIVE_SITE);
			assertThat(store.waitAndExamine()).hasSizeGreaterThan(2)
				.anyMatch((line) -> line.contains("which does not exist"));
		}
	}

	/** What a post in the archive leaves in Redis. */
	private void leavesTraces(String author) {
		String post = this.broken.id(this.now - AGE);
		this.redis.set(Keys.ARCHIVE_SITE, "site");
		this.redis.zadd(Keys.postsOf(author), (double) this.now - AGE, ArchiveMarkers.MARK);
		this.redis.zadd(Keys.postsOf(author), 1, ArchiveMarkers.COUNT);
		this.redis.zadd(Keys.PUBLIC_TIMELINE, (double) this.now - AGE, post);
		this.redis.zadd(Keys.likes(post), 1.0, author);
		this.redis.zadd(Keys.liked(author), 1.0, post);
		this.redis.hset(Keys.reposts(post), author, this.broken.id(this.now - AGE));
	}

}
