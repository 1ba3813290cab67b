package live.retwis.timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

import live.retwis.fanout.FanOutDispatcher;
import live.retwis.log.CommitLog;
import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class HomeTests {

	private final Site site = Site.shared();

	private final Visitor alice = Visitor.registered(this.site);

	private final Visitor bob = Visitor.registered(this.site);

	private void awaitHome(Visitor reader, String... texts) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.untilAsserted(() -> assertThat(reader.get("/home").posts()).containsExactly(texts));
	}

	@Test
	void anEmptyTimelineSaysWhereToFindPeople() {
		Answer home = this.alice.get("/home");
		assertThat(home.posts()).isEmpty();
		assertThat(home.body()).contains("There are no posts here yet.", "href=\"/timeline\"");
		assertThat(home.older()).isEmpty();
		assertThat(this.alice.getJson("/home").json().get("posts")).isEmpty();
	}

	@Test
	void ownPostsAreOnThePageRightAfterThe303NewestFirst() {
		for (int i = 0; i < 5; i++) {
			String once = this.alice.get("/home").once();
			assertThat(this.alice.submit("/posts", "body", "mine " + i, "once", once).status()).isEqualTo(303);
			assertThat(this.alice.get("/home").posts()).first().isEqualTo("mine " + i);
		}
		assertThat(this.alice.get("/home").posts()).containsExactly("mine 4", "mine 3", "mine 2", "mine 1", "mine 0");
	}

	@Test
	void postsAreInTheOrderOfTheirCommits() {
		this.bob.follow(this.alice);
		this.alice.post("1");
		this.bob.post("2");
		this.alice.post("3");
		this.bob.post("4");
		awaitHome(this.bob, "4", "3", "2", "1");
		List<String> committed = this.site.redis()
			.zrevrange("{live}:public", 0, -1)
			.stream()
			.filter(new HashSet<>(this.bob.get("/home").postIds())::contains)
			.toList();
		assertThat(this.bob.get("/home").postIds()).isEqualTo(committed);
	}

	@Test
	void followingAddsOldPostsAndUnfollowingRemovesThem() {
		this.alice.post("old");
		this.bob.post("own");
		this.alice.post("newer");
		this.bob.follow(this.alice);
		awaitHome(this.bob, "newer", "own", "old");
		this.alice.post("new");
		awaitHome(this.bob, "new", "newer", "own", "old");
		this.bob.get("/home");
		this.bob.submit("/@" + this.alice.name() + "/unfollow");
		awaitHome(this.bob, "own");
		this.alice.post("unseen");
		this.bob.post("own again");
		awaitHome(this.bob, "own again", "own");
	}

	@Test
	void aPageShowsTwentyPostsAndTheNextOneContinuesWhilePostsArrive() {
		List<String> texts = new ArrayList<>();
		for (int i = 0; i < 45; i++) {
			texts.add(0, "post " + i);
			this.alice.post("post " + i);
		}
		List<String> read = new ArrayList<>();
		int pages = 0;
		for (String path = "/home"; !path.isEmpty(); pages++) {
			Answer page = this.alice.get(path);
			read.addAll(page.posts());
			path = page.older();
			this.alice.post("in between " + pages);
			assertThat(page.posts()).hasSizeLessThanOrEqualTo(20);
		}
		assertThat(read).isEqualTo(texts);
		assertThat(pages).isEqualTo(3);
	}

	@Test
	void aDeletedPostDoesNotShortenAPage() {
		List<String> ids = new ArrayList<>();
		for (int i = 0; i < 24; i++) {
			ids.add(this.alice.post("post " + i));
		}
		for (String id : ids.subList(21, 24)) {
			this.alice.get("/home");
			assertThat(this.alice.submit("/posts/" + id + "/delete").status()).isEqualTo(303);
		}
		Answer page = this.alice.get("/home");
		assertThat(page.posts()).hasSize(20).first().isEqualTo("post 20");
		assertThat(this.alice.get(page.older()).posts()).containsExactly("post 0");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "x", "1.2.3", "%00", "-1", "zzzzzzz.zzzzzzzzzzz.0000000000000",
			"1z141z3.zzzzzzzzzzz.ZZZZZZZZZZZZZ", "0.0.0000000000000", "%C3%BC" })
	void aMalformedCursorIs400(String cursor) {
		for (String path : List.of("/home", "/timeline", "/@" + this.alice.name())) {
			assertThat(this.alice.get(path + "?before=" + cursor).status()).as(path).isEqualTo(400);
		}
	}

	@Test
	void aCursorOfAnotherUsersTimelineIs400() {
		for (int i = 0; i < 21; i++) {
			this.alice.post("post " + i);
		}
		String older = this.alice.get("/home").older();
		assertThat(this.alice.get(older).status()).isEqualTo(200);
		assertThat(this.bob.get(older).status()).isEqualTo(400);
		assertThat(this.alice.get(older.replace("/home", "/@" + this.alice.name())).status()).isEqualTo(400);
	}

	@Test
	void jsonHasPostsAndACursor() {
		for (int i = 0; i < 21; i++) {
			this.alice.post("post " + i);
		}
		var json = this.alice.getJson("/home").json();
		assertThat(json.get("posts")).hasSize(20);
		var newest = json.get("posts").get(0);
		assertThat(newest.get("id").asString()).matches("[0-9A-Z]{13}");
		assertThat(newest.get("author").asString()).isEqualTo(this.alice.name());
		assertThat(newest.get("body").asString()).isEqualTo("post 20");
		assertThat(newest.get("created_at").asString()).endsWith("Z");
		var last = this.alice.getJson("/home?before=" + json.get("older").asString()).json();
		assertThat(last.get("posts")).hasSize(1);
		assertThat(last.get("older").isNull()).isTrue();
	}

	@Test
	void fanOutOfTheSameEntryTwiceChangesNothing() {
		this.bob.follow(this.alice);
		String id = this.alice.post("once");
		awaitHome(this.bob, "once");
		List<LogEntry> log = Objects
			.requireNonNull(this.site.bean(CommitLog.class).from(LogPosition.of("0-0", ""), 100_000).block());
		FanOutDispatcher fanOut = this.site.bean(FanOutDispatcher.class);
		log.stream()
			.filter((entry) -> entry.user().equals(this.bob.id()) || entry.post().equals(id))
			.forEach((entry) -> fanOut.apply(entry).block());
		assertThat(this.bob.get("/home").postIds()).containsExactly(id);
		assertThat(this.site.redis().zcard(Keys.homeTimeline(this.bob.id()))).isOne();
		assertThat(this.site.redis().zcard("posts:" + this.alice.id())).isOne();
		assertThat(this.site.redis().zrange("{live}:public", 0, -1)).containsOnlyOnce(id);
	}

}
