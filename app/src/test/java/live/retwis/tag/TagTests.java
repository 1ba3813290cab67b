package live.retwis.tag;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import live.retwis.log.LogPosition;
import live.retwis.post.Post;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Posts with a tag are on its page, newest first, and come live. */
class TagTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final Visitor stranger = Visitor.of(this.site);

	/** A tag that was not used before. */
	private final String tag = "t" + this.author.name().toLowerCase(Locale.ROOT);

	@Test
	void aTagIsALinkToThePostsThatHaveItHoweverTheyWriteIt() {
		String first = this.author.post("#" + this.tag + ", the <first>");
		assertThat(this.author.get("/home").posts()).first()
			.isEqualTo("<a href=\"/tags/" + this.tag + "\">#" + this.tag + "</a>, the &lt;first&gt;");
		String second = this.author.post("the second #" + this.tag.toUpperCase(Locale.ROOT));
		this.author.post("without #" + this.tag + "x");
		Answer page = this.stranger.get("/tags/" + this.tag.toUpperCase(Locale.ROOT));
		assertThat(page.postIds()).containsExactly(second, first);
		assertThat(page.body()).contains("<h1><bdi>#" + this.tag + "</bdi></h1>");
		assertThat(this.stranger.getJson("/tags/" + this.tag).json().get("posts").get(1).get("body").asString())
			.isEqualTo("#" + this.tag + ", the <first>");
	}

	@Test
	void aTagOfAnyScriptHasAnAddress() {
		String post = this.author.post("#天气" + this.tag);
		String address = this.author.get("/home").find("<a href=\"(/tags/[^\"]*)\">#天气");
		assertThat(address).startsWith("/tags/%E5%A4%A9");
		Answer page = this.stranger.get(address);
		assertThat(page.postIds()).containsExactly(post);
		try (EventStream stream = this.stranger.open(page.live())) {
			this.author.post("again #天气" + this.tag);
			stream.awaitPost("again");
		}
	}

	@Test
	void anUnknownTagIsAnEmptyPage() {
		for (String path : List.of("/tags/" + this.tag, "/tags/%7Blive%7D:log")) {
			assertThat(this.stranger.get(path).status()).as(path).isEqualTo(200);
			assertThat(this.stranger.get(path).body()).contains("No post has this tag yet.");
			assertThat(this.stranger.getJson(path).json().get("posts")).isEmpty();
		}
		assertThat(this.stranger.get("/tags/" + this.tag + "?before=x").status()).isEqualTo(400);
		assertThat(this.stranger.get("/tags/%20").status()).isEqualTo(404);
		for (String text : List.of("!", "123", "a".repeat(1000))) {
			for (String path : List.of("/tags/" + text, "/tags/" + text + "/feed", "/live/tags/" + text)) {
				assertThat(this.stranger.get(path).status()).as(path).isEqualTo(404);
			}
		}
	}

	@Test
	void aPostCountsOnceForItsTagAlsoWhenItsWorkerDiedBeforeItWasListed() {
		String id = this.author.post("#" + this.tag);
		FanOutWait.settle(this.site);
		Post post = Objects.requireNonNull(this.site.bean(RenderedPosts.class).require(id).block(SOON));
		long committed = this.site.redis().zscore(Keys.tag(this.tag), id).longValue();
		String hour = Keys.trending(TimeUnit.MILLISECONDS.toHours(committed));
		assertThat(this.site.redis().zscore(hour, this.tag)).isEqualTo(1);
		this.site.redis().zrem(Keys.tag(this.tag), id);
		this.site.bean(TagIndexer.class).posted(post, LogPosition.of(committed + "-0", "x")).block(SOON);
		assertThat(this.site.redis().zscore(hour, this.tag)).isEqualTo(1);
		assertThat(this.site.redis().zrange(Keys.tag(this.tag), 0, -1)).containsExactly(id);
	}

	@Test
	void thePostsArePagedLikeThoseOfAUser() {
		List<String> texts = IntStream.range(0, 22).mapToObj((i) -> "#" + this.tag + " " + (21 - i)).toList();
		IntStream.range(0, 22).forEach((i) -> this.author.post("#" + this.tag + " " + i));
		Answer page = this.stranger.get("/tags/" + this.tag);
		assertThat(page.texts()).isEqualTo(texts.subList(0, 20));
		assertThat(this.stranger.get(page.older()).texts()).isEqualTo(texts.subList(20, 22));
	}

	@Test
	void anOpenPageGetsNewPostsWithTheTagTheirCountsAndDeletions() {
		Answer page = this.stranger.get("/tags/" + this.tag);
		String missed = this.author.post("between page and stream #" + this.tag);
		try (EventStream stream = this.stranger.open(page.live())) {
			stream.awaitPost("between page and stream");
			this.author.post("another #" + this.tag + "x");
			this.author.post("live #" + this.tag + " #other");
			stream.awaitPost("live ");
			assertThat(stream.events("post")).hasSize(2);
			this.author.get("/posts/" + missed);
			this.author.submit("/posts/" + missed + "/like");
			stream.await((event) -> event.name().equals("counts") && event.data().contains(missed)
					&& event.data().contains("\"likes\":1"));
			this.author.submit("/posts/" + missed + "/delete");
			stream.await((event) -> event.name().equals("delete") && event.data().equals(missed));
		}
	}

	@Test
	void deletedPostsAreNotShownAndLeaveTheListWhenItIsRead() {
		String post = this.author.post("#" + this.tag);
		String deleted = this.author.post("#" + this.tag + " soon gone");
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().zscore(Keys.tag(this.tag), deleted) != null);
		this.author.submit("/posts/" + deleted + "/delete");
		long now = System.currentTimeMillis();
		IntStream.range(0, 30)
			.forEach((i) -> this.site.redis().zadd(Keys.tag(this.tag), now + 100_000.0 + i, "0%012d".formatted(i)));
		assertThat(this.stranger.get("/tags/" + this.tag).postIds()).containsExactly(post);
		assertThat(this.site.redis().zrange(Keys.tag(this.tag), 0, -1)).containsExactly(post);
	}

	@Test
	void aListKeepsItsBoundAndAPostCountsForTenTags() {
		String key = Keys.tag(this.tag);
		IntStream.range(0, 1000).forEach((i) -> this.site.redis().zadd(key, i + 1.0, "0%012d".formatted(i)));
		String post = this.author.post("#" + this.tag
				+ IntStream.range(0, 10).mapToObj((i) -> " #" + this.tag + i).reduce("", String::concat));
		Awaitility.await().atMost(SOON).until(() -> this.site.redis().zscore(key, post) != null);
		assertThat(this.site.redis().zcard(key)).isEqualTo(1000);
		assertThat(this.stranger.get("/tags/" + this.tag + "8").postIds()).containsExactly(post);
		assertThat(this.stranger.get("/tags/" + this.tag + "9").postIds()).isEmpty();
		assertThat(this.stranger.get("/tags/" + this.tag).postIds()).containsExactly(post);
	}

	@Test
	void anAddressIsALinkThatShowsItsBeginningAndIsCopiedWhole() {
		String address = "https://example.org/a?b&d=\"" + "e".repeat(30);
		String whole = "https://example.org/a?b&" + "d".repeat(30);
		this.author.post("(" + whole + ")");
		assertThat(this.author.get("/home").posts()).first()
			.isEqualTo("(<a href=\"" + whole.replace("&", "&amp;") + "\" rel=\"nofollow noopener ugc\">"
					+ "<span class=\"url-rest\">https://</span><span class=\"url-cut\">example.org/a?b&amp;"
					+ "d".repeat(14) + "</span><span class=\"url-rest\">" + "d".repeat(16) + "</span></a>)");
		this.author.post(address);
		assertThat(this.author.get("/home").texts()).startsWith(address, "(" + whole + ")");
	}

}
