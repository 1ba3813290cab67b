package live.retwis.archive;

import java.time.Duration;
import java.util.List;

import live.retwis.moderation.Moderation;
import live.retwis.redis.Keys;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/** A deleted post leaves the archive, too, whenever it is deleted. */
abstract class ArchivedDeletionContract extends FetchedPostsContract {

	@Test
	void aDeletedArchivedPostIsGoneAtOnceAndLeavesTheArchive() {
		List<String> old = this.store.plant(this.author, 3, 200);
		move();
		Visitor other = Visitor.registered(site());
		assertThat(other.submit("/posts/" + old.get(1) + "/delete").status()).isEqualTo(403);
		assertThat(this.author.submit("/posts/" + old.get(1) + "/delete").status()).isEqualTo(303);
		assertThat(this.stranger.get("/posts/" + old.get(1)).status()).isEqualTo(404);
		assertThat(pages(this.stranger, profile())).containsExactly(List.of(old.get(0), old.get(2)));
		FanOutWait.settle(site());
		sweep();
		assertThat(archived(old)).containsExactlyInAnyOrder(old.get(0), old.get(2));
		assertThat(this.stranger.get("/posts/" + old.get(1)).status()).isEqualTo(404);
		assertThat(site().redis().ttl(Keys.post(old.get(1)))).isPositive();
		assertThat(this.stranger.get(profile()).body()).contains("<b>2</b> posts<");
	}

	@Test
	void anArchivedPostWhoseKeyHoldsSomethingElseCannotBeDeleted() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		site().redis().set(Keys.post(old), "what?");
		assertThat(this.author.submit("/posts/" + old + "/delete").status()).isEqualTo(404);
		site().redis().del(Keys.post(old));
		assertThat(this.author.submit("/posts/" + old + "/delete").status()).isEqualTo(303);
	}

	@Test
	void aDeletedPostWhoseKeyHoldsSomethingElseHoldsNoOtherUp() {
		List<String> old = this.store.plant(this.author, 3, 200);
		move();
		List<String> gone = old.subList(0, 2);
		gone.forEach((post) -> assertThat(this.author.submit("/posts/" + post + "/delete").status()).isEqualTo(303));
		site().redis().set(Keys.post(gone.get(0)), "what?");
		FanOutWait.settle(site());
		sweep();
		assertThat(archived(old)).containsExactly(old.get(2));
		site().redis().del(Keys.post(gone.get(0)));
		assertThat(this.stranger.get("/posts/" + gone.get(0)).status()).isEqualTo(404);
	}

	/** The mover has written it, and has not yet removed it from Redis. */
	@Test
	void aPostThatIsDeletedWhileItMovesDoesNotComeBack() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		copy(old);
		site().redis().hset(Keys.post(old), "archived", "1");
		assertThat(this.author.submit("/posts/" + old + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		move();
		sweep();
		assertThat(archived(List.of(old))).isEmpty();
		site().redis().del(Keys.post(old));
		assertThat(this.stranger.get("/posts/" + old).status()).isEqualTo(404);
	}

	/** Redis has lost its last second, and with it the mover's mark. */
	@Test
	void aDeletedPostWhoseMarkIsLostDoesNotComeBack() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		copy(old);
		assertThat(this.author.submit("/posts/" + old + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		sweep();
		assertThat(archived(List.of(old))).isEmpty();
		assertThat(site().redis().ttl(Keys.post(old))).isPositive();
		site().redis().del(Keys.post(old));
		assertThat(this.stranger.get("/posts/" + old).status()).isEqualTo(404);
	}

	@Test
	void theArchiveIsNotToldOfADeletedPostThatIsTooYoungForIt() {
		String young = this.author.post("young");
		assertThat(this.author.submit("/posts/" + young + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		assertThat(site().redis().ttl(Keys.post(young))).isPositive();
		assertThat(site().redis().zscore(Keys.ARCHIVE_DELETED, young)).isNull();
	}

	/** Such a post was never counted among those in the archive. */
	@Test
	void aPostThatIsDeletedWhileItMovesLeavesTheWayToOthers() {
		String kept = this.store.plant(this.author, 1, 200).get(0);
		move();
		String old = this.store.plant(this.author, 1, 100).get(0);
		copy(old);
		site().redis().hset(Keys.post(old), "archived", "1");
		assertThat(this.author.submit("/posts/" + old + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		sweep();
		assertThat(archived(List.of(kept, old))).containsExactly(kept);
		assertThat(pages(this.stranger, profile())).containsExactly(List.of(kept));
	}

	@Test
	void whenTheLastArchivedPostIsDeletedTheListSaysNothingOfTheArchive() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		assertThat(this.author.submit("/posts/" + old + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		sweep();
		assertThat(site().redis().exists(Keys.postsOf(this.author.id()))).isZero();
	}

	@Test
	void anAccountIsDeletedInTheArchiveToo() {
		List<String> all = this.store.plant(this.author, 30, 70);
		String id = this.author.id();
		move();
		this.author.get("/settings");
		assertThat(this.author.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		FanOutWait.settle(site());
		assertThat(archived(all)).isEmpty();
		assertThat(site().redis().exists(Keys.postsOf(id), Keys.pulledOf(id))).isZero();
		assertThat(all).allMatch((post) -> this.stranger.get("/posts/" + post).status() == 404);
	}

	@Test
	void anOperatorDeletesTheArchivedPostsOfAUserToo() {
		List<String> all = this.store.plant(this.author, 30, 70);
		move();
		assertThat(archived(all)).isNotEmpty();
		Moderation moderation = site().bean(Moderation.class);
		assertThat(moderation.deletePosts("operator", this.author.name()).block(BOUND)).endsWith("deleted: 30.");
		assertThat(this.stranger.get(profile()).postIds()).isEmpty();
		FanOutWait.settle(site());
		sweep();
		assertThat(archived(all)).isEmpty();
		assertThat(all).allMatch((post) -> this.stranger.get("/posts/" + post).status() == 404);
		assertThat(moderation.deletePosts("operator", this.author.name()).block(BOUND)).endsWith("deleted: 0.");
	}

	/** The worker has removed its place, so the list never counted it as archived. */
	@Test
	void aPostThatIsDeletedWhileItMovesTakesNoOtherWithIt() {
		List<String> older = this.store.plant(this.author, 2, 300);
		move();
		String old = this.store.plant(this.author, 1, 200).get(0);
		copy(old);
		site().redis().hset(Keys.post(old), "archived", "1");
		assertThat(this.author.submit("/posts/" + old + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		sweep();
		assertThat(pages(this.stranger, profile())).containsExactly(older);
		assertThat(this.stranger.get(profile()).body()).contains("<b>2</b> posts<");
	}

	@Test
	void aPostThatSeveralInstancesSweepIsUncountedOnce() {
		List<String> old = this.store.plant(this.author, 4, 200);
		move();
		assertThat(this.author.submit("/posts/" + old.get(0) + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		ArchiveReconciler sweeper = site().bean(ArchiveReconciler.class);
		Flux.range(0, 8).flatMap((i) -> sweeper.sweep(Long.MAX_VALUE)).blockLast(BOUND);
		assertThat(pages(this.stranger, profile())).containsExactly(old.subList(1, 4));
		assertThat(this.stranger.get(profile()).body()).contains("<b>3</b> posts<");
	}

	@Test
	void aDamagedKeyThatIsOnlyCountedHoldsUpNoDeletion() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		site().redis().zadd(Keys.ARCHIVE_DELETED, 1, old);
		site().redis().del(Keys.ARCHIVE_UNINDEXED);
		site().redis().set(Keys.ARCHIVE_UNINDEXED, "what?");
		try {
			site().bean(ArchiveReconciler.class).run().block(BOUND);
		}
		finally {
			site().redis().del(Keys.ARCHIVE_UNINDEXED);
		}
		assertThat(archived(List.of(old))).isEmpty();
	}

	@Test
	void aDeletedPostWhoseLikesCannotBeReadHoldsUpNoOther() {
		List<String> old = this.store.plant(this.author, 3, 200);
		move();
		String broken = old.get(0);
		old.subList(0, 2)
			.forEach((post) -> assertThat(this.author.submit("/posts/" + post + "/delete").status()).isEqualTo(303));
		FanOutWait.settle(site());
		site().redis().set(Keys.likes(broken), "what?");
		sweep();
		assertThat(archived(old)).containsExactlyInAnyOrder(broken, old.get(2));
		assertThat(site().redis().zscore(Keys.ARCHIVE_DELETED, broken)).isGreaterThan(System.currentTimeMillis());
		site().redis().del(Keys.likes(broken));
		sweep();
		assertThat(archived(old)).containsExactly(old.get(2));
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void anAccountThatCannotBeErasedHoldsUpNoOther() {
		Visitor other = Visitor.registered(site());
		String stays = this.store.plant(this.author, 1, 200).get(0);
		String goes = this.store.plant(other, 1, 200).get(0);
		move();
		site().redis().set(Keys.likes(stays), "what?");
		long now = System.currentTimeMillis();
		site().redis().zadd(Keys.ARCHIVE_CLOSED, now - 2, this.author.id());
		site().redis().zadd(Keys.ARCHIVE_CLOSED, now - 1, other.id());
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(archived(List.of(stays, goes))).containsExactly(stays));
		assertThat(site().redis().zscore(Keys.ARCHIVE_CLOSED, this.author.id()))
			.isGreaterThan(System.currentTimeMillis());
		site().redis().del(Keys.likes(stays));
		site().redis().zrem(Keys.ARCHIVE_CLOSED, this.author.id());
	}

}
