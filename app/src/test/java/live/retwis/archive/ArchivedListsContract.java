package live.retwis.archive;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.archive.ArchivedLikesAndRepliesRepository.ArchivedList;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** The lists of archived posts go to the archive, too, and come back when needed. */
abstract class ArchivedListsContract extends ArchivedDeletionContract {

	private static final Logger log = LoggerFactory.getLogger(ArchivedListsContract.class);

	/** Longer than a change takes from the look at the list to the write. */
	private static final Duration IDLE = Duration.ofMillis(700);

	final Visitor liker = Visitor.registered(site());

	void moveLists(Duration idle) {
		site().bean(LikesAndRepliesMover.class).moveAll(idle).block(BOUND);
	}

	/** A post with a like and a reply, all of which only the archive has. */
	String archivedWithLists() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		this.liker.submit("/posts/" + old + "/like");
		assertThat(this.liker.postJson("body", "an early reply", "reply_to", old).status()).isEqualTo(201);
		awaitLikes(old, 1);
		FanOutWait.settle(site());
		move();
		Awaitility.await().atMost(BOUND).until(() -> {
			moveLists(Duration.ZERO);
			return left(old).isEmpty();
		});
		return old;
	}

	/** What Redis still has of the lists of a post. */
	List<String> left(String postId) {
		return Stream.of(Keys.likes(postId), Keys.replies(postId))
			.flatMap((list) -> Stream.of(list, Keys.listInUse(list)))
			.filter((key) -> site().redis().exists(key) == 1)
			.toList();
	}

	private List<String> noted() {
		return site().redis().zrange(Keys.ARCHIVE_LISTS, 0, -1);
	}

	@Test
	void whoLikesAnArchivedPostAndItsRepliesAreShownAlthoughTheyHaveMoved() {
		String old = archivedWithLists();
		assertThat(noted()).doesNotContain(Keys.likes(old), Keys.replies(old));
		assertThat(this.stranger.get("/posts/" + old + "/likes").body()).contains("@" + this.liker.name());
		assertThat(this.stranger.get("/posts/" + old).body()).contains("an early reply");
		assertThat(noted()).contains(Keys.likes(old), Keys.replies(old));
	}

	@Test
	void whoLikesAnArchivedPostAndItsRepliesAreShownWhileRedisTakesNoWrites() {
		String old = archivedWithLists();
		site().redis().configSet("min-replicas-to-write", "1");
		try {
			assertThat(this.stranger.get("/posts/" + old + "/likes").body()).contains("@" + this.liker.name());
			assertThat(this.stranger.get("/posts/" + old).body()).contains("an early reply");
			assertThat(left(old)).isEmpty();
		}
		finally {
			site().redis().configSet("min-replicas-to-write", "0");
		}
	}

	/** Nobody has read the list since the like. */
	@Test
	void changesOfAListAreShownWhileRedisTakesNoWrites() {
		String old = archivedWithLists();
		Visitor second = Visitor.registered(site());
		second.submit("/posts/" + old + "/like");
		awaitLikes(old, 2);
		this.liker.submit("/posts/" + old + "/unlike");
		String list = Keys.likes(old);
		Awaitility.await()
			.atMost(BOUND)
			.untilAsserted(() -> assertThat(site().redis().zrange(list, 0, -1)).containsExactly(second.id()));
		site().bean(ArchivedLikesAndRepliesRepository.class)
			.save(List.of(new ArchivedList(list, this.liker.id() + " 1", Long.MAX_VALUE)), Long.MAX_VALUE)
			.block(BOUND);
		site().redis().set(Keys.listInUse(list), LikesAndRepliesArchive.COMING + "nonce");
		site().redis().zadd(list, -1, this.liker.id());
		site().redis().configSet("min-replicas-to-write", "1");
		try {
			assertThat(this.stranger.get("/posts/" + old + "/likes").body()).contains("@" + second.name())
				.doesNotContain("@" + this.liker.name());
		}
		finally {
			site().redis().configSet("min-replicas-to-write", "0");
		}
	}

	@Test
	void listsThatWereReadMoveAgainWhenNobodyUsesThem() {
		String old = archivedWithLists();
		this.stranger.get("/posts/" + old + "/likes");
		moveLists(LikesAndRepliesMover.IDLE);
		assertThat(left(old)).containsExactly(Keys.likes(old), Keys.listInUse(Keys.likes(old)));
		moveLists(Duration.ZERO);
		assertThat(left(old)).isEmpty();
		assertThat(this.stranger.get("/posts/" + old + "/likes").body()).contains("@" + this.liker.name());
	}

	@Test
	void aPostWhoseKeyHoldsSomethingElseKeepsNoOtherListsFromMoving() {
		String broken = archivedWithLists();
		String old = archivedWithLists();
		List.of(broken, old).forEach((post) -> this.stranger.get("/posts/" + post + "/likes"));
		site().redis().set(Keys.post(broken), "what?");
		moveLists(Duration.ZERO);
		assertThat(left(old)).isEmpty();
		assertThat(noted()).contains(Keys.likes(broken));
		site().redis().del(Keys.post(broken));
		Awaitility.await().atMost(BOUND).until(() -> {
			moveLists(Duration.ZERO);
			return left(broken).isEmpty();
		});
		assertThat(this.stranger.get("/posts/" + broken + "/likes").body()).contains("@" + this.liker.name());
	}

	@Test
	void aListWhoseMarkIsNoTimeKeepsNoOtherListsFromMoving() {
		String broken = archivedWithLists();
		String old = archivedWithLists();
		List.of(broken, old).forEach((post) -> this.stranger.get("/posts/" + post + "/likes"));
		site().redis().set(Keys.listInUse(Keys.likes(broken)), "what?");
		moveLists(Duration.ZERO);
		assertThat(left(old)).isEmpty();
		assertThat(noted()).contains(Keys.likes(broken));
		site().redis().del(Keys.likes(broken), Keys.listInUse(Keys.likes(broken)));
	}

	@Test
	void aListOfAPostWhoseKeyHoldsSomethingElseIsChangedAllTheSame() {
		String old = archivedWithLists();
		Visitor second = Visitor.registered(site());
		second.submit("/posts/" + old + "/like");
		awaitLikes(old, 2);
		Awaitility.await().atMost(BOUND).until(() -> {
			moveLists(Duration.ZERO);
			return left(old).isEmpty();
		});
		site().redis().set(Keys.post(old), "what?");
		this.liker.get("/settings");
		this.liker.submit("/settings/delete", "password", Visitor.PASSWORD);
		Awaitility.await()
			.atMost(BOUND)
			.untilAsserted(() -> assertThat(site().redis().exists(Keys.username(this.liker.name()))).isZero());
		FanOutWait.settle(site());
		site().redis().del(Keys.post(old));
		awaitLikes(old, 1);
		assertThat(this.stranger.get("/posts/" + old + "/likes").body()).contains("@" + second.name())
			.doesNotContain("@" + this.liker.name());
	}

	@Test
	void likesAreAddedToAndTakenFromAListThatHasMoved() {
		String old = archivedWithLists();
		Visitor second = Visitor.registered(site());
		second.submit("/posts/" + old + "/like");
		awaitLikes(old, 2);
		moveLists(Duration.ZERO);
		this.liker.submit("/posts/" + old + "/unlike");
		awaitLikes(old, 1);
		moveLists(Duration.ZERO);
		assertThat(this.stranger.get("/posts/" + old + "/likes").body()).contains("@" + second.name())
			.doesNotContain("@" + this.liker.name());
	}

	@Test
	void aReplyIsAddedToRepliesThatHaveMoved() {
		String old = archivedWithLists();
		assertThat(this.author.postJson("body", "a late reply", "reply_to", old).status()).isEqualTo(201);
		FanOutWait.settle(site());
		assertThat(this.stranger.get("/posts/" + old).body()).contains("an early reply", "a late reply");
	}

	@Test
	void aDeletedPostLeavesNoListsAnywhere() {
		String old = archivedWithLists();
		assertThat(this.author.submit("/posts/" + old + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		sweep();
		assertThat(site().redis().zscore(Keys.liked(this.liker.id()), old)).isNull();
		assertThat(left(old)).isEmpty();
		assertThat(site().bean(ArchivedLikesAndRepliesRepository.class)
			.readBack(List.of(Keys.likes(old), Keys.replies(old)))
			.block(BOUND)).isEmpty();
	}

	@Test
	void aLikerWhoseLikesCannotBeReadHoldsUpNoDeletion() {
		List<String> gone = List.of(archivedWithLists(), archivedWithLists());
		gone.forEach((post) -> assertThat(this.author.submit("/posts/" + post + "/delete").status()).isEqualTo(303));
		FanOutWait.settle(site());
		site().redis().set(Keys.liked(this.liker.id()), "what?");
		sweep();
		assertThat(archived(gone)).isEmpty();
		site().redis().del(Keys.liked(this.liker.id()));
	}

	/** The change of the replies waits for a list that does not come any more. */
	@Test
	void aReplyThatIsDeletedAfterItsPostLeavesNothing() {
		String old = archivedWithLists();
		String answer = this.liker.postJson("body", "a late reply", "reply_to", old).location();
		FanOutWait.settle(site());
		moveLists(Duration.ZERO);
		assertThat(this.author.submit("/posts/" + old + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		assertThat(this.liker.submit(answer + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		sweep();
		Awaitility.await().atMost(BOUND).untilAsserted(() -> {
			moveLists(Duration.ZERO);
			assertThat(left(old)).isEmpty();
			assertThat(noted()).doesNotContain(Keys.likes(old), Keys.replies(old));
		});
	}

	@Test
	void aListThatWasReadBeforeItWasAwayOnceMoreDoesNotComeBack() {
		String list = Keys.likes("0AAAAAAAAAAAA");
		List<String> keys = List.of(list, Keys.listInUse(list));
		site().redis().set(Keys.listInUse(list), LikesAndRepliesArchive.COMING + "later");
		List<String> late = run("restore-list", keys, "1", "100", LikesAndRepliesArchive.COMING + "earlier", "B", "2");
		assertThat(late).containsExactly("0");
		assertThat(site().redis().exists(list)).isZero();
		assertThat(run("restore-list", keys, "1", "100", LikesAndRepliesArchive.COMING + "later", "B", "2"))
			.containsExactly("1");
		site().redis().del(keys.toArray(String[]::new));
	}

	private List<String> run(String script, List<String> keys, String... args) {
		return Objects.requireNonNull(
				LuaScript.named(script).run(site().bean(ReactiveStringRedisTemplate.class), keys, args).block(BOUND));
	}

	/** Its address leads to the original, which has replies. */
	@Test
	void noListIsBroughtBackForAnArchivedRepost() {
		String original = archivedWithLists();
		String repost = this.store.plant(this.liker, 1, 100).get(0);
		site().redis().hset(Keys.post(repost), "repost_of", original);
		site().redis().hset(Keys.reposts(original), this.liker.id(), repost);
		move();
		assertThat(this.stranger.get("/posts/" + repost).status()).isEqualTo(303);
		assertThat(left(repost)).isEmpty();
		assertThat(noted()).noneMatch((list) -> list.endsWith(repost));
	}

	/** The list is here, and so are the replies. So no page of them asks the archive. */
	@Test
	void repliesToAnArchivedPostGoOnAfterManyThatTheReaderDoesNotSee() {
		String old = archivedWithLists();
		Visitor muted = Visitor.registered(site());
		Visitor reader = Visitor.registered(site());
		reader.submit("/@" + muted.name() + "/mute");
		reader.submit("/@" + this.liker.name() + "/mute");
		assertThat(this.stranger.get("/posts/" + old).body()).contains("an early reply");
		long start = System.currentTimeMillis();
		String last = "";
		for (int i = 0; i < 140; i++) {
			Cursor place = new Cursor(start + i, "0U%011d".formatted((start + i) % 100_000_000_000L));
			last = this.store.plant((i < 139) ? muted : this.author, place, Map.of("reply_to", old));
			site().redis().zadd(Keys.replies(old), (double) place.score(), last);
		}
		assertThat(reader.get("/posts/" + old).postIds()).contains(last);
	}

	@Test
	void nothingIsKeptOfListsOfPostsThatDoNotExist() {
		String none = "0ZZZZZZZZZZZZ";
		assertThat(this.stranger.get("/posts/" + none).status()).isEqualTo(404);
		assertThat(this.stranger.get("/posts/" + none + "/likes").status()).isEqualTo(404);
		assertThat(left(none)).isEmpty();
		assertThat(noted()).noneMatch((list) -> list.endsWith(none));
	}

	/** Such a mover stood still for an hour. */
	@Test
	void aMoverThatIsLateDoesNotReplaceAListThatWasUsedLater() {
		ArchivedLikesAndRepliesRepository archive = site().bean(ArchivedLikesAndRepliesRepository.class);
		archive.save(List.of(new ArchivedList("likes:X", "B 2", 20)), Long.MAX_VALUE).block(BOUND);
		archive
			.save(List.of(new ArchivedList("likes:X", "A 1", 10), new ArchivedList("likes:Y", "A 1", 10)),
					Long.MAX_VALUE)
			.block(BOUND);
		assertThat(archive.readBack(List.of("likes:X", "likes:Y")).block(BOUND))
			.isEqualTo(Map.of("likes:X", "B 2", "likes:Y", "A 1"));
		archive.save(List.of(new ArchivedList("likes:X", "C 3", 30)), Long.MAX_VALUE).block(BOUND);
		assertThat(archive.find("likes:X").block(BOUND)).isEqualTo("C 3");
		archive.remove(List.of("likes:X", "likes:Y")).block(BOUND);
	}

	/** A user whose like is in an old list would like the post again. */
	@Test
	void aListThatReachesTheDatabaseTooLateIsNotStored() {
		ArchivedLikesAndRepliesRepository archive = site().bean(ArchivedLikesAndRepliesRepository.class);
		long now = site().bean(ArchiveDatabase.class).clock().blockOptional(BOUND).orElseThrow();
		archive.save(List.of(new ArchivedList("likes:Z", "A 1", 10)), now).block(BOUND);
		assertThat(archive.readBack(List.of("likes:Z")).block(BOUND)).isEmpty();
		archive.save(List.of(new ArchivedList("likes:Z", "A 1", 10)), now + BOUND.toMillis()).block(BOUND);
		archive.save(List.of(new ArchivedList("likes:Z", "", 20)), now).block(BOUND);
		assertThat(archive.find("likes:Z").block(BOUND)).isEqualTo("A 1");
		archive.remove(List.of("likes:Z")).block(BOUND);
	}

	/** Redis was restored from an older backup, in which the post had not moved. */
	@Test
	void aListOfThePostThatWasNotYetArchivedDoesNotUndoAnUnlike() {
		String post = this.store.plant(this.author, 1, 100).get(0);
		site().bean(ArchivedLikesAndRepliesRepository.class)
			.save(List.of(new ArchivedList(Keys.likes(post), this.liker.id() + " 1", 1)), Long.MAX_VALUE)
			.block(BOUND);
		move();
		assertThat(this.stranger.get("/posts/" + post + "/likes").body()).contains("Nobody likes this post yet.");
		Visitor second = Visitor.registered(site());
		second.submit("/posts/" + post + "/like");
		awaitLikes(post, 1);
		assertThat(site().redis().zrange(Keys.likes(post), 0, -1)).containsExactly(second.id());
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aMoverThatFindsVeryManyListsMovesThemSooner() {
		long minutesAgo = System.currentTimeMillis() - Duration.ofMinutes(5).toMillis();
		List<String> names = IntStream.rangeClosed(0, LikesAndRepliesMover.MANY)
			.mapToObj((number) -> Keys.likes("0L%011d".formatted(number)))
			.toList();
		site().redis()
			.mset(names.stream().collect(Collectors.toMap(Keys::listInUse, (name) -> Long.toString(minutesAgo))));
		site().redis()
			.zadd(Keys.ARCHIVE_LISTS,
					names.stream().flatMap((name) -> Stream.<Object>of((double) minutesAgo, name)).toArray());
		moveLists(LikesAndRepliesMover.IDLE);
		assertThat(noted()).doesNotContainAnyElementsOf(names);
	}

	/** It died between its two steps. */
	@Test
	void aListThatComesBackTwiceKeepsWhatWasAddedMeanwhile() {
		String old = archivedWithLists();
		String list = Keys.likes(old);
		site().redis().set(Keys.listInUse(list), LikesAndRepliesArchive.COMING + "nonce");
		Visitor second = Visitor.registered(site());
		second.submit("/posts/" + old + "/like");
		awaitLikes(old, 2);
		assertThat(site().redis().zrange(list, 0, -1)).containsExactlyInAnyOrder(this.liker.id(), second.id());
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void listsThatMoveWhileManyUseThemLoseNothing() {
		long seed = System.nanoTime();
		log.info("Seed {}", seed);
		Random random = new Random(seed);
		String old = archivedWithLists();
		List<Visitor> likers = Stream.generate(() -> Visitor.registered(site())).limit(6).toList();
		CompletableFuture<Void> all = CompletableFuture.runAsync(() -> {
			for (int round = 0; round < 6; round++) {
				for (Visitor one : likers) {
					one.submit("/posts/" + old + (random.nextBoolean() ? "/like" : "/unlike"));
				}
				FanOutWait.settle(site());
				Awaitility.await().pollDelay(IDLE).until(() -> true);
			}
		});
		while (!all.isDone()) {
			moveLists(IDLE);
			assertThat(this.stranger.get("/posts/" + old + "/likes").status()).isEqualTo(200);
		}
		all.join();
		List<String> liked = likers.stream()
			.filter((one) -> site().redis().zscore(Keys.liked(one.id()), old) != null)
			.map(Visitor::id)
			.toList();
		String page = this.stranger.get("/posts/" + old + "/likes").body();
		for (Visitor one : likers) {
			assertThat(page.contains("@" + one.name())).as(one.name()).isEqualTo(liked.contains(one.id()));
		}
		awaitLikes(old, liked.size() + 1);
	}

	@Test
	void aListThatTheArchiveRefusesDoesNotHoldUpTheOthers() {
		String refused = "likes:" + "0".repeat(40);
		site().redis().zadd(refused, 1, "0123456789ABC");
		site().redis().set(Keys.listInUse(refused), "1");
		site().redis().zadd(Keys.ARCHIVE_LISTS, 1, refused);
		String old = archivedWithLists();
		assertThat(left(old)).as("the lists of another post").isEmpty();
		assertThat(site().redis().zscore(refused, "0123456789ABC")).isEqualTo(1);
		site().redis().del(refused, Keys.listInUse(refused));
		site().redis().zrem(Keys.ARCHIVE_LISTS, refused);
	}

}
