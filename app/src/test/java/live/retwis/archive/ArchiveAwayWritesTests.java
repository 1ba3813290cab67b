package live.retwis.archive;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import live.retwis.log.InstanceLogPosition;
import live.retwis.post.PostListener;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What people do while the database of the archive does not serve the site. It comes to
 * the archive later, and new posts wait for none of it.
 */
@EnabledIf("isInstalled")
class ArchiveAwayWritesTests extends BreakableArchiveScene {

	/** The id of a new reply. */
	private static String reply(Visitor visitor, String text, String to) {
		return visitor.postJson("body", text, "reply_to", to).json().get("posts").get(0).get("id").asString();
	}

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@EnumSource
	void whatIsDoneToNewPostsGoesOn(ArchiveFault how) {
		Visitor friend = Visitor.registered(site);
		this.reader.get("/");
		assertThat(this.reader.submit("/posts/" + this.old.get(3) + "/repost").status()).isEqualTo(303);
		FanOutWait.settle(site);
		String repost = this.store.listed(this.reader).get(0);
		archive.move();
		friend.follow(this.author);
		FanOutWait.settle(site);
		archive.breakBy(how);
		String post = this.author.post("while the archive is away");
		assertThat(this.reader.submit("/posts/" + post + "/like").status()).isEqualTo(303);
		assertThat(this.reader.postJson("body", "a reply", "reply_to", post).status()).isEqualTo(201);
		String gone = this.author.post("that goes again");
		assertThat(this.author.submit("/posts/" + gone + "/delete").status()).isEqualTo(303);
		this.reader.follow(this.author);
		friend.unfollow(this.author);
		assertThat(this.reader.submit("/posts/" + repost + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site);
		assertThat(this.reader.get("/home").postIds()).contains(post).doesNotContain(gone);
		assertThat(Visitor.of(site).get("/posts/" + post).body()).contains("a reply", "data-count=\"1\"");
		archive.mend();
		archive.sweep();
		assertThat(site.redis().xlen(Keys.DEAD_LETTERS)).isZero();
	}

	/** Of archived posts whose lists only the archive has. */
	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@EnumSource(names = { "KILLED", "PAUSED" })
	void noChangeOfAListOfAnArchivedPostHoldsUpNewPosts(ArchiveFault how) {
		String liked = this.old.get(2);
		Visitor friend = Visitor.registered(site);
		Visitor leaving = Visitor.registered(site);
		String id = leaving.id();
		List.of(friend, leaving).forEach((one) -> one.submit("/posts/" + liked + "/like"));
		String reply = reply(friend, "a reply", liked);
		FanOutWait.settle(site);
		archive.move();
		archive.moveLists(liked);
		String marked = this.author.post("the mover has noted it, and not moved it");
		site.redis().hset(Keys.post(marked), "archived", "1");
		leaving.get("/settings");
		archive.breakBy(how);
		assertThat(friend.submit("/posts/" + reply + "/delete").status()).isEqualTo(303);
		assertThat(this.author.submit("/posts/" + marked + "/delete").status()).isEqualTo(303);
		assertThat(leaving.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		String young = this.author.post("young");
		FanOutWait.settle(site);
		assertThat(Visitor.of(site).get("/timeline").postIds()).contains(young).doesNotContain(reply, marked);
		archive.mend();
		Awaitility.await("both lists are right").atMost(BreakableArchive.BOUND).untilAsserted(() -> {
			archive.sweep();
			assertThat(this.reader.get("/posts/" + liked + "/likes").body()).contains("@" + friend.name())
				.doesNotContain("@" + leaving.name());
			assertThat(this.reader.get("/posts/" + liked).body()).doesNotContain("a reply");
			assertThat(database.sql("select likes, replies from posts where id = '" + liked + "'"))
				.containsExactly("1|0");
		});
	}

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@EnumSource
	void aLikeOfAnArchivedPostCountsLater(ArchiveFault how) {
		String liked = this.old.get(5);
		archive.move();
		assertThat(this.reader.get("/posts/" + liked).status()).isEqualTo(200);
		archive.breakBy(how);
		assertThat(this.reader.submit("/posts/" + liked + "/like").status()).isEqualTo(303);
		FanOutWait.settle(site);
		archive.mend();
		Awaitility.await("the like").atMost(BreakableArchive.BOUND).untilAsserted(() -> {
			archive.sweep();
			assertThat(database.sql("select likes from posts where id = '" + liked + "'")).containsExactly("1");
			assertThat(this.reader.get("/posts/" + liked + "/likes").body()).contains("@" + this.reader.name());
		});
	}

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@EnumSource(names = { "KILLED", "PAUSED" })
	void anArchivedPostIsDeletedWhollyOrNotAtAll(ArchiveFault how) {
		String gone = this.old.get(7);
		archive.move();
		archive.breakBy(how);
		Answer refused = this.author.submit("/posts/" + gone + "/delete");
		assertThat(refused.status()).isEqualTo(503);
		assertThat(refused.took()).isLessThan(BreakableArchive.SOON);
		FanOutWait.settle(site);
		archive.mend();
		assertThat(this.reader.get("/posts/" + gone).status()).isEqualTo(200);
		assertThat(this.author.submit("/posts/" + gone + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site);
		archive.sweep();
		assertThat(this.reader.get("/posts/" + gone).status()).isEqualTo(404);
	}

	/** Redis has the post, and only the archive has the repost. */
	@Test
	void anArchivedRepostOfADeletedPostLeavesTimelines() {
		String original = this.store.plant(this.author, 1, 1).get(0);
		String repost = this.store.plant(this.reader, 1, 100).get(0);
		site.redis().hset(Keys.post(repost), "repost_of", original);
		site.redis().hset(Keys.reposts(original), this.reader.id(), repost);
		Visitor friend = Visitor.registered(site);
		friend.follow(this.reader);
		FanOutWait.settle(site);
		List<Visitor> readers = List.of(friend, this.reader);
		readers.forEach((one) -> one.get("/home"));
		Awaitility.await("timelines that have the repost")
			.atMost(BreakableArchive.BOUND)
			.until(() -> readers.stream()
				.allMatch((one) -> site.redis().zscore(Keys.homeTimeline(one.id()), repost) != null));
		archive.move();
		archive.forgetWhatWasFetched();
		archive.breakBy(ArchiveFault.KILLED);
		assertThat(this.author.submit("/posts/" + original + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site);
		archive.mend();
		archive.sweep();
		assertThat(readers).allMatch((one) -> site.redis().zscore(Keys.homeTimeline(one.id()), repost) == null);
		assertThat(database.sql("select id from posts where id = '" + repost + "'")).isEmpty();
	}

	/** Redis has the post that others reply to, and not the archived one above it. */
	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@EnumSource(names = { "KILLED", "PAUSED" })
	void repliesBelowAnArchivedPostAreLiveAndHoldUpNothing(ArchiveFault how) {
		String above = this.old.get(4);
		String replied = reply(this.reader, "a reply", above);
		FanOutWait.settle(site);
		archive.move();
		this.author.get("/home");
		this.reader.get("/home");
		archive.forgetWhatWasFetched();
		archive.breakBy(how);
		try (EventStream everyone = this.author.open("/live/public")) {
			everyone.await((event) -> event.name().equals("position"));
			assertThat(this.author.postJson("body", "a reply to the reply", "reply_to", replied).status())
				.isEqualTo(201);
			everyone.awaitPost("a reply to the reply");
			everyone.awaitPost(this.author.post("the next post"));
			assertThat(everyone.events("reset")).isEmpty();
		}
		FanOutWait.settle(site);
		archive.mend();
		archive.sweep();
	}

	/** A reply that an instance accepted which still knew the archived post. */
	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@EnumSource(names = { "KILLED", "PAUSED" })
	void aReplyToAnArchivedPostHoldsUpNoWorker(ArchiveFault how) {
		String replied = this.old.get(5);
		archive.move();
		this.author.get("/posts/" + replied);
		archive.forgetWhatWasFetched();
		archive.breakBy(how);
		String young = this.author.post("young");
		site.redis().hset(Keys.post(young), Map.of("reply_to", replied, "reply_username", this.author.name()));
		site.bean(RenderedPosts.class).filesChanged();
		FanOutWait.settle(site);
		site.beans(PostListener.class)
			.forEach((listener) -> Mono
				.zip(site.bean(RenderedPosts.class).require(young), site.bean(InstanceLogPosition.class).position())
				.flatMap((read) -> listener.posted(read.getT1(), read.getT2()))
				.block(BreakableArchive.BOUND));
		archive.mend();
		archive.sweep();
	}

	/** The request that made it had begun before the block. */
	@Test
	@Tag("slow")
	@Tag("long")
	void aRepostOfAnArchivedPostThatCameAfterABlockGoesWhenTheArchiveIsBack() {
		String original = this.old.get(6);
		archive.move();
		String repost = this.reader.post("a repost");
		this.author.get("/");
		assertThat(this.author.submit("/@" + this.reader.name() + "/block").status()).isEqualTo(303);
		this.author.post("after the block");
		FanOutWait.settle(site);
		site.redis().hset(Keys.post(repost), "repost_of", original);
		archive.forgetWhatWasFetched();
		archive.breakBy(ArchiveFault.KILLED);
		site.beans(PostListener.class)
			.forEach((listener) -> Mono
				.zip(site.bean(RenderedPosts.class).require(repost), site.bean(InstanceLogPosition.class).position())
				.flatMap((read) -> listener.posted(read.getT1(), read.getT2()))
				.block(BreakableArchive.BOUND));
		assertThat(site.redis().hexists(Keys.post(repost), "deleted")).isFalse();
		archive.mend();
		Awaitility.await("the repost is gone")
			.atMost(Duration.ofSeconds(60))
			.until(() -> site.redis().hexists(Keys.post(repost), "deleted"));
	}

	@ParameterizedTest
	@EnumSource
	@Tag("long")
	void anAccountIsDeletedAndItsArchivedPostsFollow(ArchiveFault how) {
		archive.move();
		String id = this.author.id();
		this.author.get("/settings");
		// A move that broke off: the list has a post that only the archive has.
		site.redis().zadd(Keys.postsOf(id), 1.0, this.old.get(39));
		archive.breakBy(how);
		assertThat(this.author.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		FanOutWait.settle(site);
		assertThat(site.redis().exists(Keys.postsOf(id))).isZero();
		archive.mend();
		Awaitility.await("the archive has none of the posts")
			.atMost(Duration.ofSeconds(60))
			.until(() -> database.sql("select count(*) from posts where author = '" + id + "'").equals(List.of("0")));
		Awaitility.await("instances hear that cached posts are gone")
			.atMost(Duration.ofSeconds(60))
			.until(() -> site.redis().zscore(Keys.ARCHIVE_CLOSED, id) == null);
		assertThat(site.redis().xrevrange(Keys.LOG, Range.unbounded(), Limit.from(10)))
			.extracting((entry) -> entry.getBody().getOrDefault("type", "") + " "
					+ entry.getBody().getOrDefault("user", "") + " " + entry.getBody().getOrDefault("facts", ""))
			.anyMatch((entry) -> (how == ArchiveFault.KILLED) ? entry.equals("freed " + id + " ")
					: entry.startsWith("freed " + id));
	}

	@Test
	@Tag("long")
	void aDeletedAccountIsRememberedForAsLongAsTheArchiveHasItsPosts() {
		Visitor leaving = Visitor.registered(site);
		long longAgo = System.currentTimeMillis() - Duration.ofHours(13).toMillis();
		archive.breakBy(ArchiveFault.KILLED);
		site.redis().zadd(Keys.ARCHIVE_CLOSED, longAgo, leaving.id());
		site.redis().zadd(Keys.CLOSED_ACCOUNTS, longAgo, leaving.id());
		Awaitility.await("it is told again although the archive is away")
			.atMost(Duration.ofSeconds(60))
			.until(() -> site.redis().zscore(Keys.CLOSED_ACCOUNTS, leaving.id()) > longAgo);
		assertThat(site.redis().zscore(Keys.ARCHIVE_CLOSED, leaving.id())).isGreaterThan(longAgo);
		archive.mend();
	}

	/**
	 * Only what looks posts up by their ids is slow. Statements of pages are given up
	 * after two seconds, those of workers are not.
	 */
	@Test
	@Tag("long")
	void aReplyOfADeletedAccountLeavesItsConversationAlthoughTheArchiveWasSlow() {
		Visitor leaving = Visitor.registered(site);
		String id = leaving.id();
		String parent = this.reader.post("a question");
		String reply = this.store.plant(leaving, 1, 200).get(0);
		site.redis().hset(Keys.post(reply), "reply_to", parent);
		site.redis().zadd(Keys.replies(parent), 1.0, reply);
		site.redis().hset(Keys.post(parent), "replies", "1");
		archive.move();
		leaving.get("/settings");
		archive.breakBy(ArchiveFault.SLOW);
		database.sql("create or replace view posts as select * from stored where (select case when current_query() "
				+ "like '% id in (%' then pg_sleep(3)::text end is distinct from 'x')");
		assertThat(leaving.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		FanOutWait.settle(site);
		archive.mend();
		Awaitility.await("the archive has none of the posts")
			.atMost(Duration.ofSeconds(60))
			.until(() -> database.sql("select count(*) from posts where author = '" + id + "'").equals(List.of("0")));
		FanOutWait.settle(site);
		assertThat(site.redis().zscore(Keys.replies(parent), reply)).isNull();
		assertThat(site.redis().hget(Keys.post(parent), "replies")).isEqualTo("0");
	}

}
