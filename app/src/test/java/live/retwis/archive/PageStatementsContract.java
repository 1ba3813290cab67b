package live.retwis.archive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.AllPages;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How often a page asks the archive. */
abstract class PageStatementsContract extends ListBoundsContract {

	static final int PAGE = 20;

	private static final int AUTHORS = 3;

	private static final int ASKING = 16;

	private final Visitor reader = Visitor.registered(site());

	private final Visitor muted = Visitor.registered(site());

	/** The data node of the site. */
	abstract TestRedis node();

	/** The settings of the site. */
	abstract String[] settings();

	/** How many statements an instance makes meanwhile that read posts, tags or lists. */
	abstract long count(Site at, Runnable reading);

	/**
	 * How many statements a home page needs for the places of so many authors. H2 has no
	 * statement for all, but it runs in this process.
	 */
	abstract long statementsForPlacesOf(int authors);

	/** The same when nothing that was fetched before is kept. */
	long statementsOf(Site at, Runnable reading) {
		FanOutWait.settle(site());
		at.bean(RenderedPosts.class).reset();
		site().keys(Keys.ARCHIVED + "*").forEach((key) -> site().redis().del(key));
		return count(at, reading);
	}

	/** An instance that keeps only a page of a home timeline. */
	Site withShortHomes() {
		return with("--retwis.fan-out.worker=false", "--retwis.timeline.size=" + PAGE);
	}

	private Site with(String... more) {
		return Site.start(node(), Stream.concat(Stream.of(settings()), Stream.of(more)).toArray(String[]::new));
	}

	/** The most statements that a page of a list costs. */
	long mostStatements(Site at, Visitor visitor, String first) {
		long most = 0;
		List<Answer> pages = new ArrayList<>();
		String path = first;
		while (!path.isEmpty()) {
			String page = path;
			most = Math.max(most, statementsOf(at, () -> pages.add(visitor.get(page))));
			Answer last = pages.get(pages.size() - 1);
			assertThat(last.status()).as(page).isEqualTo(200);
			path = last.older();
		}
		return most;
	}

	/** Posts of some authors in turn, the newest first. */
	List<String> plantInTurn(int count, int age, Visitor... authors) {
		List<String> all = new ArrayList<>();
		long millis = System.currentTimeMillis() - Duration.ofDays(age).toMillis();
		for (int i = 0; i < count; i++) {
			all.add(this.store.plant(authors[i % authors.length],
					new Cursor(millis - i * 1000L, "0X%011d".formatted(System.nanoTime() % 100_000_000_000L)),
					Map.of()));
		}
		return all;
	}

	private void followAll(Visitor... authors) {
		Stream.of(authors).forEach(this.reader::follow);
		FanOutWait.settle(site());
		site().redis().del(Keys.homeTimeline(this.reader.id()), Keys.homeCompleteFrom(this.reader.id()));
	}

	/** Puts posts of an author into the stored home timeline. */
	private void store(List<String> posts, Visitor by) {
		posts.forEach((post) -> site().redis()
			.zadd(Keys.homeTimeline(this.reader.id()), site().redis().zscore(Keys.postsOf(by.id()), post), post));
	}

	/** Readers pull those of the posts that are by an author. */
	private void pull(Visitor by, List<String> posts) {
		for (String post : posts) {
			Double score = site().redis().zscore(Keys.postsOf(by.id()), post);
			if (score != null) {
				site().redis().zadd(Keys.pulledOf(by.id()), score, post);
			}
		}
		site().redis().zadd(Keys.PULLED_AUTHORS, 1, by.id());
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aHomePageWithPostsThatReadersPullCostsTwoStatements() {
		Visitor big = Visitor.registered(site());
		List<String> all = plantInTurn(90, 100, big, this.author);
		pull(big, all);
		move();
		followAll(big, this.author);
		try (Site another = withShortHomes()) {
			Visitor there = this.reader.sentTo(another.url(""));
			assertThat(mostStatements(another, there, "/home")).isLessThanOrEqualTo(1 + statementsForPlacesOf(AUTHORS));
			assertThat(AllPages.idsOf(there, "/home")).isEqualTo(all);
		}
	}

	/** The whole timeline is stored, but for the posts that are pulled. */
	@Test
	@Tag("slow")
	@Tag("long")
	void aPageOfAStoredHomeTimelineWithPostsThatReadersPullCostsTwoStatements() {
		Visitor big = Visitor.registered(site());
		List<String> all = plantInTurn(90, 100, big, this.author);
		pull(big, all);
		followAll(big, this.author);
		store(all.stream().filter((post) -> all.indexOf(post) % 2 == 1).toList(), this.author);
		move();
		try (Site another = with("--retwis.fan-out.worker=false")) {
			Visitor there = this.reader.sentTo(another.url(""));
			assertThat(mostStatements(another, there, "/home")).isLessThanOrEqualTo(1 + statementsForPlacesOf(1));
			assertThat(AllPages.idsOf(there, "/home")).isEqualTo(all);
		}
	}

	/**
	 * The lists of the authors end at different places. Each is read only as far as the
	 * page needs.
	 */
	@Test
	@Tag("slow")
	@Tag("long")
	void aHomePageThatIsInRedisDoesNotAskTheArchive() {
		Visitor rare = Visitor.registered(site());
		plantInTurn(3, 10, rare);
		plantInTurn(90, 10, this.author, this.muted);
		plantInTurn(30, 100, rare);
		move();
		followAll(rare, this.author, this.muted);
		try (Site another = withShortHomes()) {
			assertThat(firstPages(another, "/home", 3)).isZero();
		}
	}

	/** The stored timeline alone would not fill a page. */
	@Test
	@Tag("slow")
	@Tag("long")
	void aHomePageThatIsFilledByPulledPostsInRedisDoesNotAskTheArchive() {
		Visitor big = Visitor.registered(site());
		Visitor rare = Visitor.registered(site());
		List<String> many = plantInTurn(90, 10, big, this.muted);
		pull(big, many);
		pull(this.muted, many);
		pull(rare, plantInTurn(2, 10, rare));
		pull(rare, plantInTurn(30, 100, rare));
		List<String> few = plantInTurn(5, 10, this.author);
		followAll(big, this.muted, rare, this.author);
		store(few, this.author);
		move();
		try (Site another = with("--retwis.fan-out.worker=false")) {
			assertThat(firstPages(another, "/home", 3)).isZero();
		}
	}

	/** How many statements the first full pages cost. */
	private long firstPages(Site at, String first, int count) {
		Visitor there = this.reader.sentTo(at.url(""));
		return statementsOf(at, () -> {
			String path = first;
			for (int i = 0; i < count; i++) {
				Answer page = there.get(path);
				assertThat(page.postIds()).as(path).hasSize(PAGE);
				path = page.older();
			}
		});
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aHomePageOfAReaderWhoMutesAnAuthorIsFullAndCostsTwoStatements() {
		List<String> all = plantInTurn(120, 100, this.muted, this.author, this.muted);
		move();
		followAll(this.muted, this.author);
		this.reader.submit("/@" + this.muted.name() + "/mute");
		try (Site another = withShortHomes()) {
			Visitor there = this.reader.sentTo(another.url(""));
			assertThat(mostStatements(another, there, "/home")).isLessThanOrEqualTo(1 + statementsForPlacesOf(AUTHORS));
			assertThat(pages(there, "/home")).containsExactly(by(all).subList(0, PAGE), by(all).subList(PAGE, 40));
		}
	}

	/** Those of {@link #author}. */
	private List<String> by(List<String> all) {
		return all.stream().filter((post) -> all.indexOf(post) % 3 == 1).toList();
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPageOfAStoredHomeTimelineOfAReaderWhoMutesAnAuthorCostsTwoStatements() {
		List<String> all = plantInTurn(120, 100, this.muted, this.author, this.muted);
		followAll(this.muted, this.author);
		store(by(all), this.author);
		store(all.stream().filter((post) -> all.indexOf(post) % 3 != 1).toList(), this.muted);
		move();
		this.reader.submit("/@" + this.muted.name() + "/mute");
		assertThat(mostStatements(site(), this.reader, "/home")).isLessThanOrEqualTo(2);
		assertThat(AllPages.idsOf(this.reader, "/home")).isEqualTo(by(all));
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPageOfATagForAReaderWhoMutesAnAuthorCostsTwoStatements() {
		List<String> all = tagged();
		goesOn();
		this.reader.submit("/@" + this.author.name() + "/mute");
		assertThat(mostStatements(site(), this.stranger, "/tags/" + this.tag)).isEqualTo(2);
		assertThat(mostStatements(site(), this.reader, "/tags/" + this.tag)).isLessThanOrEqualTo(4);
		assertThat(AllPages.idsOf(this.reader, "/tags/" + this.tag)).isEmpty();
		assertThat(AllPages.idsOf(this.stranger, "/tags/" + this.tag)).isEqualTo(all);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPageOfBookmarksCostsOneStatement() {
		List<String> old = this.store.plant(this.author, 45, 100);
		old.forEach((post) -> site().redis().zadd(Keys.bookmarks(this.reader.id()), 1000 - old.indexOf(post), post));
		move();
		assertThat(mostStatements(site(), this.reader, "/bookmarks")).isEqualTo(1);
		assertThat(AllPages.idsOf(this.reader, "/bookmarks")).isEqualTo(old);
	}

	@Test
	void manyPostsOfAPageAreReadWithOneStatement() {
		List<String> all = this.store.plant(this.author, 20, 200);
		move();
		assertThat(statementsOf(site(),
				() -> assertThat(site().bean(RenderedPosts.class).findAll(all).blockOptional(BOUND).orElseThrow())
					.hasSameSizeAs(all)))
			.isEqualTo(1);
	}

	@Test
	void manyWhoAskForAPostAtTheSameTimeCauseOneStatement() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		assertThat(statementsOf(site(), () -> askAtOnce(old, site()))).isEqualTo(1);
	}

	/** Each instance asks for itself. */
	@Test
	@Tag("slow")
	@Tag("long")
	void manyWhoAskTwoInstancesForAPostAtTheSameTimeCauseTwoStatementsAtMost() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		try (Site another = with("--retwis.fan-out.worker=false")) {
			assertThat(statementsOf(site(), () -> askAtOnce(old, site(), another))).isBetween(1L, 2L);
		}
	}

	private static void askAtOnce(String post, Site... sites) {
		List<CompletableFuture<Integer>> answers = new ArrayList<>();
		ExecutorService clients = Executors.newFixedThreadPool(ASKING);
		try {
			for (int i = 0; i < 2 * ASKING; i++) {
				Visitor one = Visitor.of(sites[i % sites.length]);
				answers.add(CompletableFuture.supplyAsync(() -> one.get("/posts/" + post).status(), clients));
			}
			assertThat(answers).allSatisfy((answer) -> assertThat(answer).succeedsWithin(BOUND).isEqualTo(200));
		}
		finally {
			clients.shutdownNow();
		}
	}

	/** It does not fit into the memory that instances share. */
	@Test
	void aLongPostWithRepliesIsAskedForOnceAndSoAreItsReplies() {
		Cursor place = new Cursor(System.currentTimeMillis() - Duration.ofDays(200).toMillis(),
				"0W%011d".formatted(System.nanoTime() % 100_000_000_000L));
		String old = this.store.plant(this.author, place,
				Map.of("body", "x".repeat(SharedArchivedPostCache.LONGEST), "replies", "1"));
		List<String> replies = this.store.plant(this.reader, 1, 190);
		site().redis().zadd(Keys.replies(old), 1, replies.get(0));
		move();
		Awaitility.await().atMost(BOUND).until(() -> {
			site().bean(LikesAndRepliesMover.class).moveAll(Duration.ZERO).block(BOUND);
			return site().redis().exists(Keys.replies(old)) == 0;
		});
		assertThat(statementsOf(site(), () -> askAtOnce(old, site()))).as("the post, the list, the reply")
			.isLessThanOrEqualTo(3);
		assertThat(this.stranger.get("/posts/" + old).postIds()).contains(replies.get(0));
	}

}
