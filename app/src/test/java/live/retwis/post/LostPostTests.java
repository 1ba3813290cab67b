package live.retwis.post;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import live.retwis.fanout.FanOutDispatcher;
import live.retwis.log.CommitLog;
import live.retwis.log.InstanceLogPosition;
import live.retwis.log.Intent;
import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.redis.Keys;
import live.retwis.testing.Commits;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A master has lost a post that it had acknowledged, and with it the post's log entry. A
 * worker that took the entry before still does its work, on the master that came after.
 */
class LostPostTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final Visitor other = Visitor.registered(this.site);

	private String post = "";

	@BeforeEach
	void post() {
		this.post = this.author.post("that stays");
	}

	/** The site still knows of the deletion when it gets the post as new once more. */
	@Test
	void aPostWhoseDeletionIsLostIsPutIntoItsListsAgain() {
		FanOutWait.settle(this.site);
		Map<String, String> before = this.site.redis().hgetall(Keys.post(this.post));
		this.site.bean(PostRepository.class).delete(this.post, this.author.id(), "lost").block(BOUND);
		this.site.bean(RenderedPosts.class).readAgain(this.post);
		assertThat(this.other.get("/posts/" + this.post).status()).isEqualTo(404);
		restore(this.site, this.post, before);
		this.site.redis().del(Keys.postsOf(this.author.id()));
		this.site.bean(FanOutDispatcher.class)
			.apply(Commits.entry(this.site, LogEntry.Type.POST, this.post))
			.block(BOUND);
		assertThat(this.site.redis().zrange(Keys.postsOf(this.author.id()), 0, -1)).containsExactly(this.post);
		assertThat(this.other.get("/posts/" + this.post).status()).isEqualTo(200);
	}

	/** As on a cluster, where the post is on another node than the log. */
	@Test
	void aPostWhoseMarkIsLostAfterItsDeletionWasLoggedIsDeletedAgain() {
		this.site.bean(CommitLog.class).postDeleted(this.post, this.author.id()).block(BOUND);
		FanOutWait.settle(this.site);
		assertThat(this.other.get("/posts/" + this.post).status()).isEqualTo(404);
		assertThat(this.site.redis().hkeys(Keys.post(this.post))).contains("deleted").doesNotContain("body");
	}

	@Test
	void aLostReplyIsNotLeftAmongTheReplies() {
		assertThat(this.other.submit("/posts", "body", "that is lost", "reply_to", this.post).status()).isEqualTo(303);
		String reply = this.site.redis().zrevrange(Keys.postsOf(this.other.id()), 0, 0).get(0);
		Post known = lose(reply);
		this.site.bean(PostDelivery.class).committed(known, position(), false).block(BOUND);
		assertThat(this.site.redis().zrange(Keys.replies(this.post), 0, -1)).isEmpty();
		assertThat(this.site.redis().zrange(Keys.postsOf(this.other.id()), 0, -1)).isEmpty();
		assertThat(this.site.redis().hget(Keys.post(this.post), "replies")).isEqualTo("0");
	}

	@Test
	void aLostReplyIsInNoListOfItsAuthorThoughTheListOfRepliesIsDamaged() {
		assertThat(this.other.submit("/posts", "body", "lost", "reply_to", this.post).status()).isEqualTo(303);
		String reply = this.site.redis().zrevrange(Keys.postsOf(this.other.id()), 0, 0).get(0);
		Post known = lose(reply);
		this.site.redis().del(Keys.replies(this.post));
		this.site.redis().set(Keys.replies(this.post), "what?");
		this.site.bean(PostDelivery.class).committed(known, position(), false).onErrorComplete().block(BOUND);
		assertThat(this.site.redis().zrange(Keys.postsOf(this.other.id()), 0, -1)).isEmpty();
		this.site.redis().del(Keys.replies(this.post));
	}

	@Test
	void aLostRepostIsNotLeftAmongTheReposts() {
		Post known = lose(repost());
		index(known);
		assertThat(this.site.redis().exists(Keys.reposts(this.post))).isZero();
		assertThat(this.site.redis().hget(Keys.post(this.post), "reposts")).isEqualTo("0");
	}

	@Test
	void theRepostsOfALostPostAreNotLeft() {
		Post repost = known(repost());
		lose(this.post);
		this.site.redis().del(Keys.reposts(this.post));
		index(repost);
		assertThat(this.site.redis().exists(Keys.reposts(this.post))).isZero();
	}

	/** The worker had added it before, and tries again after an error. */
	@Test
	void aLostReplyOfWhichOnlyItsEntryIsLeftIsNotAmongTheReplies() {
		assertThat(this.other.submit("/posts", "body", "lost, too", "reply_to", this.post).status()).isEqualTo(303);
		String reply = this.site.redis().zrevrange(Keys.postsOf(this.other.id()), 0, 0).get(0);
		lose(reply);
		assertThat(this.site.redis().zcard(Keys.notifications(this.author.id()))).isOne();
		process(reply);
		assertThat(this.site.redis().exists(Keys.notifications(this.author.id()))).isZero();
		assertThat(this.site.redis().zrange(Keys.replies(this.post), 0, -1)).isEmpty();
		assertThat(this.site.redis().hget(Keys.post(this.post), "replies")).isEqualTo("0");
	}

	@Test
	void aLostRepostOfWhichOnlyItsEntryIsLeftIsNotAmongTheReposts() {
		String repost = repost();
		lose(repost);
		process(repost);
		assertThat(this.site.redis().exists(Keys.reposts(this.post))).isZero();
		assertThat(this.site.redis().hget(Keys.post(this.post), "reposts")).isEqualTo("0");
		assertThat(this.site.redis().zrange(Keys.postsOf(this.other.id()), 0, -1)).isEmpty();
	}

	@Test
	void aLostPostOfWhichOnlyItsEntryIsLeftIsNotInTheListsOfItsTags() {
		String tag = "t" + this.post.toLowerCase(Locale.ROOT);
		String tagged = this.other.post("lost, with #" + tag);
		FanOutWait.settle(this.site);
		assertThat(this.site.redis().exists(Keys.tag(tag))).isOne();
		lose(tagged);
		process(tagged);
		assertThat(this.site.redis().exists(Keys.tag(tag))).isZero();
	}

	/** The master that came after has the hash of the post, but not its entry. */
	@Test
	void nothingIsLeftOfAReplyOfWhichOnlyTheEntryIsLost() {
		String once = this.other.get("/home").once();
		assertThat(this.other.submit("/posts", "body", "half lost", "reply_to", this.post, "once", once).status())
			.isEqualTo(303);
		FanOutWait.settle(this.site);
		String reply = this.site.redis().zrevrange(Keys.postsOf(this.other.id()), 0, 0).get(0);
		this.site.redis().del(Keys.once(this.other.id(), once));
		Intent intent = Intent.of(Intent.Kind.POST, reply, this.other.id() + ":" + once);
		this.site.bean(Posting.class).finish(intent).block(BOUND);
		FanOutWait.settle(this.site);
		assertThat(this.site.redis().exists(Keys.replies(this.post))).isZero();
		assertThat(this.site.redis().hget(Keys.post(this.post), "replies")).isEqualTo("0");
		assertThat(this.site.redis().exists(Keys.postsOf(this.other.id()))).isZero();
		assertThat(this.site.redis().exists(Keys.notifications(this.author.id()))).isZero();
		assertThat(this.other.get("/posts/" + reply).status()).isEqualTo(404);
	}

	/** Processes an entry once more, on an instance that has never read its post. */
	private void process(String postId) {
		this.site.bean(RenderedPosts.class).readAgain(postId);
		this.site.bean(FanOutDispatcher.class).apply(Commits.entry(this.site, LogEntry.Type.POST, postId)).block(BOUND);
	}

	/** Makes the hash of a post what it was before. */
	private static void restore(Site site, String postId, Map<String, String> before) {
		site.redis().del(Keys.post(postId));
		site.redis().hset(Keys.post(postId), before);
	}

	private String repost() {
		assertThat(this.other.submit("/posts/" + this.post + "/repost").status()).isEqualTo(303);
		FanOutWait.settle(this.site);
		return Objects.requireNonNull(this.site.redis().hget(Keys.reposts(this.post), this.other.id()));
	}

	private Post known(String postId) {
		FanOutWait.settle(this.site);
		return Objects.requireNonNull(this.site.bean(RenderedPosts.class).require(postId).block(BOUND));
	}

	private Post lose(String postId) {
		Post known = known(postId);
		this.site.redis().del(Keys.post(postId));
		return known;
	}

	/** What the workers do with a new post, besides the author's lists. */
	private void index(Post post) {
		this.site.beans(PostListener.class).forEach((listener) -> listener.posted(post, position()).block(BOUND));
	}

	private LogPosition position() {
		return Objects.requireNonNull(this.site.bean(InstanceLogPosition.class).position().block(BOUND));
	}

}
