package live.retwis.archive;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Pages while the database of the archive does not serve them. Pages of new posts need no
 * archive. Pages that need it say so soon.
 */
@EnabledIf("isInstalled")
class ArchiveAwayPagesTests extends BreakableArchiveScene {

	private static final int SEARCHES = 24;

	private static final String AWAY = "Older posts cannot be read at the moment";

	@ParameterizedTest
	@Tag("slow")
	@EnumSource(names = { "KILLED", "PAUSED" })
	void pagesOfNewPostsAnswerAndOnlyOlderOnesDoNot(ArchiveFault how) {
		List<String> young = this.store.plant(this.author, 22, 1);
		this.reader.follow(this.author);
		FanOutWait.settle(site);
		assertThat(this.reader.get("/home").status()).isEqualTo(200);
		FanOutWait.settle(site);
		archive.move();
		String older = older();
		assertThat(older).isNotEmpty();
		archive.breakBy(how);
		for (Visitor visitor : List.of(this.reader, this.author, Visitor.of(site))) {
			BreakableArchive.assertAnswers(visitor, profile(), 200);
			BreakableArchive.assertAnswers(visitor, "/timeline", 200);
			BreakableArchive.assertAnswers(visitor, "/posts/" + young.get(0), 200);
			BreakableArchive.assertAnswers(visitor, older, 503);
			BreakableArchive.assertAnswers(visitor, "/posts/" + this.old.get(30), 503);
		}
		BreakableArchive.assertAnswers(this.reader, "/home", 200);
		BreakableArchive.assertAnswers(this.author, "/home", 200);
		assertThat(this.reader.get("/home").postIds()).containsSequence(young.subList(0, 20));
		archive.forgetWhatWasFetched();
		Answer second = this.reader.get(this.reader.get("/home").older());
		assertThat(second.postIds()).isEqualTo(young.subList(20, 22));
		BreakableArchive.assertAnswers(this.reader, second.older(), 503);
		archive.mend();
		Awaitility.await().atMost(Duration.ofSeconds(2)).untilAsserted(() -> {
			BreakableArchive.assertAnswers(this.reader, older, 200);
			BreakableArchive.assertAnswers(this.reader, "/posts/" + this.old.get(30), 200);
		});
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void whileTheDatabaseIsSlowOnlyOlderPagesAreSlow() {
		List<String> young = this.store.plant(this.author, 22, 1);
		archive.move();
		String older = older();
		archive.breakBy(ArchiveFault.SLOW);
		for (int i = 0; i < 3; i++) {
			BreakableArchive.assertAnswers(this.reader, "/timeline", 200);
			BreakableArchive.assertAnswers(this.reader, "/posts/" + young.get(i), 200);
			site.bean(RenderedPosts.class).reset();
			site.redis().del(this.old.stream().map(SharedArchivedPostCache::key).toArray(String[]::new));
			Answer slow = Visitor.of(site).get(older);
			assertThat(slow.status()).isIn(200, 503);
			assertThat(slow.took()).as("an answer of %s", slow.status())
				.isBetween(Duration.ofSeconds(1),
						(slow.status() == 503) ? BreakableArchive.SOON : BreakableArchive.BOUND);
		}
		archive.mend();
		BreakableArchive.assertAnswers(this.reader, older, 200);
	}

	@Test
	void aPostWhoseCountChangesWhileTheArchiveIsAskedIsShownWhenItIsBack() {
		String counted = this.old.get(9);
		archive.move();
		archive.forgetWhatWasFetched();
		archive.breakBy(ArchiveFault.PAUSED);
		CompletableFuture<Answer> asked = CompletableFuture.supplyAsync(() -> this.reader.get("/posts/" + counted));
		LogEntry entry = new LogEntry(LogPosition.of("1-0", "nonce"), LogEntry.Type.COUNTS, counted, this.author.id(),
				"", "{\"likes\":1}", false);
		Awaitility.await("the answer").atMost(BreakableArchive.BOUND).pollInterval(Duration.ofMillis(20)).until(() -> {
			site.bean(RenderedPosts.class).accept(entry);
			return asked.isDone();
		});
		assertThat(asked.join().status()).isEqualTo(503);
		archive.mend();
		assertThat(this.reader.get("/posts/" + counted).status()).isEqualTo(200);
	}

	@Test
	void aFullDatabaseIsStillRead() {
		archive.move();
		String older = older();
		archive.breakBy(ArchiveFault.FULL);
		assertThat(this.reader.get(older).postIds()).isEqualTo(this.old.subList(20, 40));
		assertThat(this.author.submit("/posts/" + this.old.get(25) + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site);
		archive.sweep();
		assertThat(this.reader.get(older).postIds()).doesNotContain(this.old.get(25)).hasSize(19);
		assertThat(database.sql("select id from posts where id = '" + this.old.get(25) + "'")).isEmpty();
	}

	@Test
	void anExportThatCannotBeCompleteBreaksOff() {
		archive.move();
		assertThat(this.author.get("/settings/export").body()).contains("text of " + this.old.get(3));
		archive.forgetWhatWasFetched();
		archive.breakBy(ArchiveFault.KILLED);
		assertThatException().isThrownBy(() -> this.author.get("/settings/export"));
	}

	/** The sixth post of the second page is archived, or what it reposts is. */
	@ParameterizedTest(name = "reposted: {0}")
	@ValueSource(booleans = { false, true })
	void anOlderPageOfAListEndsRatherThanLeaveOutAPost(boolean reposted) {
		long now = System.currentTimeMillis();
		List<String> posts = new ArrayList<>(this.store.plant(this.author, 30, 1));
		posts.add(25, reposted ? this.store.plant(this.reader, new Cursor(now, ArchiveScene.newId()),
				Map.of("repost_of", this.old.get(30))) : this.old.get(30));
		String tag = "mixed" + System.nanoTime();
		List.of(Keys.bookmarks(this.reader.id()), Keys.tag(tag), Keys.PUBLIC_TIMELINE)
			.forEach((list) -> list(list, now, posts));
		archive.move();
		List<String> first = List.of("/bookmarks", "/tags/" + tag);
		List<String> older = new ArrayList<>(first.stream().map((path) -> this.reader.get(path).older()).toList());
		older.add("/timeline?before=" + new Cursor(now - 19, posts.get(19)).text(Keys.PUBLIC_TIMELINE));
		archive.forgetWhatWasFetched();
		archive.breakBy(ArchiveFault.KILLED);
		first.forEach((path) -> BreakableArchive.assertAnswers(this.reader, path, 200));
		List<String> last = older.stream().map((path) -> {
			Answer page = this.reader.get(path);
			assertThat(page.postIds()).as(path).isEqualTo(posts.subList(20, 25));
			assertThat(page.body()).as(path).contains(AWAY);
			return page.older();
		}).toList();
		last.forEach((path) -> BreakableArchive.assertAnswers(this.reader, path, 503));
		archive.mend();
		older.forEach((path) -> assertThat(this.reader.get(path).postIds()).contains(this.old.get(30)));
		last.forEach((path) -> assertThat(this.reader.get(path).postIds()).startsWith(this.old.get(30)));
		site.redis().zrem(Keys.PUBLIC_TIMELINE, posts.toArray(String[]::new));
	}

	/** To fill a page, more is read than the page shows. */
	@Test
	void aPageIsShownAlthoughWhatWouldFillItIsAway() {
		Visitor muted = Visitor.registered(site);
		this.reader.get("/settings");
		this.reader.submit("/@" + muted.name() + "/mute");
		List<String> shown = this.store.plant(this.author, 40, 1);
		List<String> hidden = this.store.plant(muted, 30, 1);
		long now = System.currentTimeMillis();
		List<String> bookmarks = new ArrayList<>(shown.subList(0, 20));
		bookmarks.addAll(hidden.subList(0, 12));
		bookmarks.addAll(shown.subList(20, 38));
		bookmarks.add(this.old.get(30));
		list(Keys.bookmarks(this.reader.id()), now, bookmarks);
		List<String> everyone = new ArrayList<>(hidden);
		everyone.add(this.old.get(30));
		everyone.addAll(shown);
		list(Keys.PUBLIC_TIMELINE, now + BreakableArchive.BOUND.toMillis(), everyone);
		archive.move();
		String older = this.reader.get("/bookmarks").older();
		archive.forgetWhatWasFetched();
		archive.breakBy(ArchiveFault.KILLED);
		assertThat(this.reader.get(older).postIds()).isEqualTo(shown.subList(20, 38));
		assertThat(this.reader.get("/timeline").postIds()).startsWith(shown.get(0));
		archive.mend();
		site.redis().zrem(Keys.PUBLIC_TIMELINE, everyone.toArray(String[]::new));
	}

	private static void list(String key, long newest, List<String> posts) {
		for (int i = 0; i < posts.size(); i++) {
			site.redis().zadd(key, newest - i, posts.get(i));
		}
	}

	@Test
	void aTagThatGoesOnInTheArchiveSaysThatOlderPostsAreAway() {
		List<String> young = this.store.plant(this.author, 25, 1);
		String tag = "on" + System.nanoTime();
		list(Keys.tag(tag), System.currentTimeMillis(), young);
		site.bean(ArchiveSearchIndex.class).hasMoreOf(tag).block(BreakableArchive.BOUND);
		String first = "/tags/" + tag;
		String older = this.reader.get(first).older();
		assertThat(this.reader.get(older).postIds()).isEqualTo(young.subList(20, 25));
		archive.breakBy(ArchiveFault.KILLED);
		BreakableArchive.assertAnswers(this.reader, first, 200);
		assertThat(this.reader.get(first).body()).contains(AWAY);
		BreakableArchive.assertAnswers(this.reader, older, 503);
		archive.mend();
		assertThat(this.reader.get(older).postIds()).isEqualTo(young.subList(20, 25));
	}

	@Test
	void firstPagesAreShownAlthoughAllTheirPostsAreArchived() {
		this.reader.follow(this.author);
		FanOutWait.settle(site);
		assertThat(this.reader.get("/home").postIds()).hasSize(20);
		assertThat(this.reader.submit("/posts/" + this.old.get(3) + "/like").status()).isEqualTo(303);
		FanOutWait.settle(site);
		archive.move();
		archive.forgetWhatWasFetched();
		archive.breakBy(ArchiveFault.KILLED);
		BreakableArchive.assertAnswers(this.reader, "/home", 200);
		assertThat(this.reader.get("/home").body()).contains("name=\"body\"");
		BreakableArchive.assertAnswers(this.author, "/notifications", 200);
		assertThat(this.author.get("/notifications").body()).contains("@" + this.reader.name());
		archive.mend();
		assertThat(this.reader.get("/home").postIds()).hasSize(20);
	}

	@Test
	void firstPagesSayThatOlderPostsAreAwayInsteadOfThatThereAreNone() {
		this.reader.follow(this.author);
		String tag = "away" + System.nanoTime();
		long now = System.currentTimeMillis();
		List.of(Keys.bookmarks(this.reader.id()), Keys.tag(tag)).forEach((list) -> list(list, now, this.old));
		FanOutWait.settle(site);
		List<String> withNewPosts = List.of("/home", profile(), "/search?q=text");
		List<String> pages = new ArrayList<>(withNewPosts);
		pages.addAll(List.of("/bookmarks", "/tags/" + tag));
		pages.forEach((path) -> this.reader.get(path));
		archive.move();
		archive.forgetWhatWasFetched();
		archive.breakBy(ArchiveFault.KILLED);
		for (String path : pages) {
			BreakableArchive.assertAnswers(this.reader, path, 200);
			assertThat(this.reader.get(path).body()).as(path)
				.contains(AWAY)
				.doesNotContain("There are no posts here yet")
				.doesNotContain("has not posted yet")
				.doesNotContain("Nothing was found")
				.doesNotContain("You keep no posts yet")
				.doesNotContain("No post has this tag yet");
		}
		assertThat(this.author.get(profile()).body()).contains(AWAY).doesNotContain("You have not posted yet");
		this.author.post("text of today");
		FanOutWait.settle(site);
		withNewPosts.forEach(
				(path) -> assertThat(this.reader.get(path).body()).as(path).contains("text of today").contains(AWAY));
		archive.mend();
		pages.forEach(
				(path) -> assertThat(this.reader.get(path).body()).as(path).contains("text of ").doesNotContain(AWAY));
	}

	@Test
	void thePostsOfThisDayThatAreStillInRedisAreShown() {
		String archived = ofThisDay(2);
		archive.move();
		String page = profile() + "/on-this-day";
		String young = ofThisDay(1);
		assertThat(this.reader.get(page).postIds()).containsExactly(young, archived);
		archive.forgetWhatWasFetched();
		archive.breakBy(ArchiveFault.KILLED);
		BreakableArchive.assertAnswers(this.reader, page, 200);
		assertThat(this.reader.get(page).postIds()).containsExactly(young);
		assertThat(this.reader.get(page).body()).contains(AWAY);
		archive.mend();
		assertThat(this.reader.get(page).postIds()).containsExactly(young, archived);
	}

	private String ofThisDay(int years) {
		long noon = ZonedDateTime.now(ZoneOffset.UTC).withHour(12).minusYears(years).toInstant().toEpochMilli();
		return this.store.plant(this.author,
				new Cursor(noon, "0W%011d".formatted(System.nanoTime() % 100_000_000_000L)), Map.of());
	}

	/** All who ask at the same time share a read, and signed-out visitors a page. */
	@Test
	void thePublicTimelineSaysThatOlderPostsAreAway() {
		list(Keys.PUBLIC_TIMELINE, System.currentTimeMillis() + BreakableArchive.BOUND.toMillis(), this.old);
		archive.move();
		List<Visitor> visitors = List.of(this.reader, Visitor.of(site));
		visitors.forEach((visitor) -> assertThat(visitor.get("/timeline").body()).doesNotContain(AWAY));
		archive.forgetWhatWasFetched();
		archive.breakBy(ArchiveFault.KILLED);
		for (Visitor visitor : visitors) {
			BreakableArchive.assertAnswers(visitor, "/timeline", 200);
			assertThat(visitor.get("/timeline").body()).contains(AWAY).doesNotContain("Nobody has posted yet");
		}
		archive.mend();
		visitors.forEach((visitor) -> assertThat(visitor.get("/timeline").body()).doesNotContain(AWAY));
		site.redis().zrem(Keys.PUBLIC_TIMELINE, this.old.toArray(String[]::new));
	}

	@Test
	void aConversationSaysThatArchivedRepliesAreAway() {
		String post = this.author.post("asked again");
		list(Keys.replies(post), System.currentTimeMillis(), this.old);
		archive.move();
		assertThat(this.reader.get("/posts/" + post).body()).contains("text of ").doesNotContain(AWAY);
		archive.forgetWhatWasFetched();
		archive.breakBy(ArchiveFault.KILLED);
		BreakableArchive.assertAnswers(this.reader, "/posts/" + post, 200);
		assertThat(this.reader.get("/posts/" + post).body()).contains("asked again", AWAY)
			.doesNotContain("No replies yet");
	}

	@Test
	void aConversationWhoseBeginningIsArchivedSaysThatItIsAway() {
		String parent = reply(this.old.get(0));
		String last = reply(parent);
		archive.move();
		assertThat(this.reader.get("/posts/" + last).body()).contains("text of " + this.old.get(0))
			.doesNotContain(AWAY);
		archive.forgetWhatWasFetched();
		archive.breakBy(ArchiveFault.KILLED);
		assertThat(this.reader.get("/posts/" + last).body()).contains("a reply to " + parent,
				"a reply to " + this.old.get(0), AWAY);
	}

	/**
	 * Each post of the conversation is a statement of a second, after the one before.
	 * What the machine needs for the page is not counted.
	 */
	@Test
	void aPageThatNeedsSeveralSlowStatementsDoesNotWaitForAll() {
		for (int i = 0; i < 8; i++) {
			site.redis().hset(Keys.post(this.old.get(i)), "reply_to", this.old.get(i + 1));
		}
		String last = reply(this.old.get(0));
		archive.move();
		archive.forgetWhatWasFetched();
		Duration usual = Visitor.of(site).get("/posts/" + last).took();
		archive.forgetWhatWasFetched();
		archive.breakBy(ArchiveFault.SLOW);
		Answer page = Visitor.of(site).get("/posts/" + last);
		assertThat(page.status()).isEqualTo(200);
		assertThat(page.took().minus(usual)).isLessThan(BreakableArchive.SOON);
		assertThat(page.body()).contains("a reply to " + this.old.get(0), AWAY);
		BreakableArchive.assertAnswers(this.reader, "/timeline", 200);
		archive.mend();
		assertThat(this.reader.get("/posts/" + last).body()).contains("text of " + this.old.get(3))
			.doesNotContain(AWAY);
	}

	/** One of the pages has little time left when it asks. A statement takes a second. */
	@Test
	void twoPagesThatWaitForTheSamePostHaveEachTheirOwnLimit() {
		String post = this.old.get(11);
		RenderedPosts posts = site.bean(RenderedPosts.class);
		archive.move();
		archive.forgetWhatWasFetched();
		Context late = OlderPostsAbsence.context(new HashMap<>());
		PageTimeLimit.within(Mono.delay(Duration.ofSeconds(2))).contextWrite(late).block();
		archive.breakBy(ArchiveFault.SLOW);
		CompletableFuture<?> first = posts.find(post).contextWrite(late).toFuture();
		assertThat(posts.find(post).contextWrite(OlderPostsAbsence.context(new HashMap<>())).block()).isNotNull();
		assertThat(first).isCompletedExceptionally();
	}

	/** Of the last twenty, more than the page reads at first, only some are shown. */
	@Test
	void anOlderPageOfATagIsShownAlthoughTheArchiveThatWouldFillItIsAway() {
		Visitor muted = Visitor.registered(site);
		this.reader.get("/settings");
		this.reader.submit("/@" + muted.name() + "/mute");
		List<String> shown = this.store.plant(this.author, 32, 1);
		List<String> posts = new ArrayList<>(shown.subList(0, 20));
		posts.addAll(this.store.plant(muted, 18, 1));
		posts.addAll(shown.subList(20, 32));
		String tag = "short" + System.nanoTime();
		list(Keys.tag(tag), System.currentTimeMillis(), posts);
		site.bean(ArchiveSearchIndex.class).hasMoreOf(tag).block(BreakableArchive.BOUND);
		String older = this.reader.get("/tags/" + tag).older();
		archive.breakBy(ArchiveFault.KILLED);
		Answer page = this.reader.get(older);
		assertThat(page.status()).isEqualTo(200);
		assertThat(page.postIds()).isEqualTo(shown.subList(20, 32));
		BreakableArchive.assertAnswers(this.reader, page.older(), 503);
		archive.mend();
	}

	private String reply(String post) {
		this.reader.get("/posts/" + post);
		return this.reader
			.postJson("body", "a reply to " + post, "reply_to", post, "once", UUID.randomUUID().toString())
			.json()
			.get("posts")
			.get(0)
			.get("id")
			.asString();
	}

	@Test
	void notificationsOfArchivedPostsAreNotMarkedAsReadWithoutBeingShown() {
		this.old.subList(0, 25).forEach((post) -> this.reader.submit("/posts/" + post + "/like"));
		FanOutWait.settle(site);
		String older = this.author.get("/notifications").older();
		this.reader.submit("/posts/" + this.old.get(30) + "/like");
		FanOutWait.settle(site);
		archive.move();
		archive.forgetWhatWasFetched();
		archive.breakBy(ArchiveFault.KILLED);
		BreakableArchive.assertAnswers(this.author, older, 503);
		BreakableArchive.assertAnswers(this.author, "/notifications", 200);
		assertThat(this.author.get("/notifications/unread").body()).isEqualTo("{\"unread\":1}");
		archive.mend();
		assertThat(this.author.get("/notifications").body()).contains("text of " + this.old.get(30));
		assertThat(this.author.get("/notifications/unread").body()).isEqualTo("{\"unread\":0}");
	}

	@Test
	void anOlderPageOfWhichNothingIsLeftIsNotShown() {
		Visitor muted = Visitor.registered(site);
		this.reader.get("/settings");
		this.reader.submit("/@" + muted.name() + "/mute");
		List<String> bookmarks = new ArrayList<>(this.store.plant(this.author, 20, 1));
		bookmarks.addAll(this.store.plant(muted, 3, 1));
		bookmarks.addAll(this.old);
		list(Keys.bookmarks(this.reader.id()), System.currentTimeMillis(), bookmarks);
		archive.move();
		String older = this.reader.get("/bookmarks").older();
		archive.forgetWhatWasFetched();
		archive.breakBy(ArchiveFault.KILLED);
		BreakableArchive.assertAnswers(this.reader, older, 503);
	}

	@Test
	void thatTheArchiveWasAwayIsNotRememberedOfAPostThatNobodyWaitsFor() {
		archive.move();
		archive.forgetWhatWasFetched();
		archive.breakBy(ArchiveFault.KILLED);
		site.bean(RenderedPosts.class).find(this.old.get(7)).subscribe().dispose();
		archive.mend();
		BreakableArchive.assertAnswers(this.reader, "/posts/" + this.old.get(7), 200);
	}

	@Test
	void aNewReplyIsShownWithoutTheArchivedPostAboveIt() {
		assertThat(this.reader.postJson("body", "a reply", "reply_to", this.old.get(4)).status()).isEqualTo(201);
		FanOutWait.settle(site);
		String reply = this.store.listed(this.reader).get(0);
		archive.move();
		archive.forgetWhatWasFetched();
		archive.breakBy(ArchiveFault.KILLED);
		BreakableArchive.assertAnswers(Visitor.of(site), "/posts/" + reply, 200);
		assertThat(Visitor.of(site).get("/posts/" + reply).body()).contains("a reply")
			.contains("replies to cannot be read at the moment")
			.doesNotContain("has been deleted");
		archive.mend();
		assertThat(Visitor.of(site).get("/posts/" + reply).body()).contains("text of " + this.old.get(4));
	}

	/**
	 * Somebody has just read the post on another page, so the site has it. Only the
	 * archive has the reply.
	 */
	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@EnumSource(names = { "KILLED", "PAUSED" })
	void aConversationIsNotShownWithoutItsReplies(ArchiveFault how) {
		String replied = this.old.get(2);
		assertThat(this.reader.postJson("body", "a reply", "reply_to", replied).status()).isEqualTo(201);
		FanOutWait.settle(site);
		archive.move();
		archive.moveLists(replied);
		assertThat(this.reader.get(profile()).postIds()).contains(replied);
		archive.breakBy(how);
		BreakableArchive.assertAnswers(this.reader, "/posts/" + replied, 503);
		archive.mend();
		assertThat(this.reader.get("/posts/" + replied).body()).contains("a reply");
	}

	/** Nobody can read the words of young posts, so only searches hang. */
	@Test
	void searchesThatHangDoNotHoldUpPagesOfOldPosts() throws SQLException {
		archive.move();
		String older = older();
		ArchiveDatabase connections = site.bean(ArchiveDatabase.class);
		ExecutorService threads = Executors.newFixedThreadPool(SEARCHES);
		try (Connection other = DriverManager
			.getConnection("jdbc:postgresql://127.0.0.1:" + database.port() + "/postgres", "retwis", "retwis")) {
			other.setAutoCommit(false);
			other.createStatement().execute("lock table young_words in access exclusive mode");
			List<CompletableFuture<Answer>> searches = Stream
				.generate(() -> CompletableFuture.supplyAsync(() -> Visitor.of(site).get("/search?q=text"), threads))
				.limit(SEARCHES)
				.toList();
			Awaitility.await("more searches hang than the pages have connections")
				.atMost(BreakableArchive.BOUND)
				.pollInterval(Duration.ofMillis(20))
				.until(() -> connections.connectionsInUse(ArchiveDatabase.Use.SEARCH) == 2
						&& connections.connectionsAwaited(ArchiveDatabase.Use.SEARCH) > 10);
			BreakableArchive.assertAnswers(this.reader, older, 200);
			assertThat(searches)
				.allSatisfy((search) -> assertThat(search.join().body()).contains("could not be searched in time")
					.doesNotContain(AWAY));
			other.rollback();
		}
		finally {
			threads.shutdownNow();
		}
	}

}
