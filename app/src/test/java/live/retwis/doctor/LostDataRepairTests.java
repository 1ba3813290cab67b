package live.retwis.doctor;

import java.util.List;
import java.util.Map;

import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.picture.Picture;
import live.retwis.redis.Keys;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code --fix} leaves, because a backup may have the rest of it. */
class LostDataRepairTests extends RepairScene {

	LostDataRepairTests(@OwnRedis TestRedis redis) {
		super(redis);
	}

	/** A fail-over has lost it after the log had told of it. */
	@Test
	@Tag("slow")
	@Tag("long")
	void anAccountWhoseDeletionIsLostIsDeletedAgain() {
		String alice = this.broken.user("alice");
		this.connection.sync().zadd(Keys.CLOSED_ACCOUNTS, Double.POSITIVE_INFINITY, alice);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			store.fix();
			store.assertSound();
			assertThat(this.connection.sync().exists(Keys.username("alice"))).isZero();
		}
	}

	@Test
	@Tag("slow")
	void aUserWithBookmarksAloneIsNotDeletedWhenTheNameIsLost() {
		String reader = this.broken.nameless("reader", System.currentTimeMillis() - BrokenStore.HOUR);
		String post = this.broken.post(this.broken.user("alice"));
		this.connection.sync().zadd(Keys.bookmarks(reader), 1, post);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			store.fix();
			assertThat(this.connection.sync().exists(Keys.user(reader))).isOne();
		}
	}

	/** Of a cluster one master may have been lost, and its backup is not there yet. */
	@Test
	@Tag("slow")
	@Tag("long")
	void repairsTakeNothingOfAUserWhoComesBackFromABackup() {
		RedisCommands<String, String> data = this.connection.sync();
		String alice = this.broken.user("alice");
		String bob = this.broken.user("bob");
		data.hset(Keys.user(alice), "words", "wonderland");
		data.zadd("names:w", 0, "wonderland " + alice);
		data.zadd(Keys.following(bob), 1, alice);
		data.zadd(Keys.followers(alice), 1, bob);
		data.zadd(Keys.following(alice), 1, bob);
		data.zadd(Keys.followers(bob), 1, alice);
		String post = this.broken.post(bob);
		data.zadd(Keys.likes(post), 1, alice);
		data.zadd(Keys.liked(alice), 1, post);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			store.assertSound();
			List<String> lists = List.of(Keys.following(bob), Keys.followers(bob), Keys.likes(post), "names:w");
			Map<String, String> backup = data.hgetall(Keys.user(alice));
			data.del(Keys.user(alice));
			assertThat(store.fix()).contains(Keys.username("alice") + ": refers to user " + alice
					+ ", who does not exist; restore the user or delete the name by hand");
			assertThat(lists).allMatch((list) -> data.zcard(list) == 1);
			data.hset(Keys.user(alice), backup);
			store.assertSound();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void repairsTakeNothingOfALostUserWhoOnlyReads() {
		RedisCommands<String, String> data = this.connection.sync();
		String reader = this.broken.user("reader");
		Picture picture = Picture.of(new byte[] { 1, 2, 3 });
		data.hset(Keys.user(reader),
				Map.of("state", "suspended", "suspended", "1", "picture", picture.hash(), "words", "wonderland"));
		data.set(Keys.picture(reader), picture.base64());
		data.hset(Keys.sessionsOf(reader), "0123456789abcdef", "hash 1 1 1 Firefox/Linux");
		data.hset(Keys.devicesOf(reader), "hash", "hash 1");
		data.set(Keys.session("hash"), reader + " 3");
		List<String> expiring = List.of(Keys.sessionsOf(reader), Keys.devicesOf(reader), Keys.session("hash"));
		expiring.forEach((key) -> data.expire(key, 1000));
		data.zadd(Keys.SUSPENDED, 1, reader);
		data.zadd("names:w", 0, "wonderland " + reader);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			store.assertSound();
			Map<String, String> backup = data.hgetall(Keys.user(reader));
			data.del(Keys.user(reader));
			store.fix();
			assertThat(expiring).allMatch((key) -> data.exists(key) == 1);
			data.hset(Keys.user(reader), backup);
			store.assertSound();
			assertThat(data.zcard("names:w")).isOne();
		}
	}

	/** Nobody would write any of it again. */
	@Test
	void whatTheArchiveHasOfALostPostStays() {
		String lost = this.broken.id(1);
		String deleted = this.broken.id(2);
		this.connection.sync().zadd(Keys.ARCHIVE_DELETED, 1, deleted);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			assertThat(store.look(ArchiveReader.INDEXED + lost)).singleElement()
				.extracting(Finding::remedy)
				.isEqualTo("restore the post or delete its tags and words in the database by hand");
			assertThat(List.of(Keys.likes(lost), Keys.replies(lost)))
				.allSatisfy((list) -> assertThat(store.look(ArchiveReader.LIST + list)).singleElement()
					.extracting(Finding::remedy)
					.isEqualTo("restore the post or delete the list in the database by hand"));
			assertThat(store.look(ArchiveReader.INDEXED + deleted)).isEmpty();
			assertThat(store.look(ArchiveReader.LIST + Keys.likes(deleted))).isEmpty();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPostThatHasLostItsAuthorStaysWhereItIs() {
		String alice = this.broken.user("alice");
		String post = this.broken.post(alice);
		this.connection.sync().hdel(Keys.post(post), "author");
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			assertThat(store.fix()).hasSize(2)
				.contains(Keys.post(post) + ": has no author; set it or delete the post by hand");
			this.connection.sync().hset(Keys.post(post), "author", alice);
			store.assertSound();
			assertThat(this.connection.sync().zscore(Keys.postsOf(alice), post)).isNotNull();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void repairsTakeNothingOfAPostThatComesBackFromABackup() {
		RedisCommands<String, String> data = this.connection.sync();
		String alice = this.broken.user("alice");
		String bob = this.broken.user("bob");
		String post = this.broken.post(alice);
		String reply = this.broken.post(bob);
		data.zadd(Keys.replies(post), 1, reply);
		String repost = this.broken.post(bob);
		data.hset(Keys.post(repost), "repost_of", post);
		data.hset(Keys.reposts(post), bob, repost);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			store.assertSound();
			for (String lost : List.of(reply, repost)) {
				Map<String, String> backup = data.hgetall(Keys.post(lost));
				data.del(Keys.post(lost));
				assertThat(store.fix()).contains(Keys.postsOf(bob) + ": holds post " + lost
						+ ", which does not exist; restore the post or remove it by hand");
				data.hset(Keys.post(lost), backup);
				store.assertSound();
			}
			Map<String, String> backup = data.hgetall(Keys.post(post));
			data.del(Keys.post(post), Keys.reposts(post));
			assertThat(store.fix()).contains(Keys.post(repost) + ": is a repost of " + post
					+ ", which does not exist; restore that post or delete the repost by hand");
			data.hset(Keys.post(post), backup);
			store.fix();
			assertThat(data.hget(Keys.reposts(post), bob)).isEqualTo(repost);
			store.assertSound();
		}
	}

	@Test
	void likesOfAUserWhoseListIsLostStay() {
		RedisCommands<String, String> data = this.connection.sync();
		String bob = this.broken.user("bob");
		String post = this.broken.post(this.broken.user("alice"));
		String likes = Keys.likes(post);
		String byHand = "restore what the user likes or remove the user by hand";
		data.zadd(likes, 1, bob);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			assertThat(remedy(store, likes)).isEqualTo(byHand);
			data.zadd(Keys.liked(bob), 1, this.broken.id(1));
			assertThat(remedy(store, likes)).isEqualTo("--fix removes the user");
			Map<String, String> backup = data.hgetall(Keys.user(bob));
			data.del(Keys.user(bob));
			assertThat(remedy(store, likes)).isEqualTo(byHand);
			data.hset(Keys.user(bob), backup);
			Finding finding = store.look(likes).get(0);
			data.del(Keys.liked(bob));
			assertComesTooLate(finding);
			assertThat(data.zscore(likes, bob)).isOne();
		}
	}

	/** Only the name is left, and somebody else could register it. */
	@Test
	void theNameOfALostUserWhoHasMadeNothingIsKept() {
		String reader = this.broken.user("reader");
		String renamed = this.broken.user("renamed");
		this.connection.sync().set(Keys.username("alias"), renamed);
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			Finding alias = store.look(Keys.username("alias")).get(0);
			this.connection.sync().del(Keys.user(reader), Keys.user(renamed));
			assertComesTooLate(alias);
			assertThat(store.look(Keys.username("reader"))).singleElement()
				.extracting(Finding::remedy)
				.isEqualTo("restore the user or delete the name by hand");
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aUserWhoHasNothingYetIsNotDeletedWhenTheNameIsLost() {
		String silent = this.broken.user("silent");
		this.connection.sync().del(Keys.username("silent"));
		try (ExaminedSite store = ExaminedSite.start(this.redis)) {
			store.fix();
			assertThat(this.connection.sync().exists(Keys.user(silent))).isOne();
		}
	}

}
