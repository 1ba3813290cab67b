package live.retwis.archive;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import live.retwis.log.LogAdmissionControl;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.testing.EventStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** What archived posts count is counted later when it cannot be counted at once. */
abstract class ArchivedCountsContract extends ArchivedListsContract {

	@Test
	void aPostWhoseRepostsCannotBeCountedHoldsUpNoOther() {
		List<String> old = this.store.plant(this.author, 2, 200);
		move();
		String broken = old.get(0);
		site().redis().set(Keys.reposts(broken), "what?");
		site().redis().zadd(Keys.ARCHIVE_COUNTS, 1, broken);
		site().redis().zadd(Keys.ARCHIVE_COUNTS, 2, old.get(1));
		sweep();
		assertThat(site().redis().zscore(Keys.ARCHIVE_COUNTS, old.get(1))).isNull();
		assertThat(site().redis().zscore(Keys.ARCHIVE_COUNTS, broken)).isGreaterThan(System.currentTimeMillis());
		site().redis().del(Keys.reposts(broken));
		sweep();
		assertThat(site().redis().zscore(Keys.ARCHIVE_COUNTS, broken)).isNull();
	}

	/** It is stopped while it waits for the archive. */
	@Test
	void whatIsToBeCountedStaysNotedUntilItIsCounted() {
		CompletableFuture<Void> asked = new CompletableFuture<>();
		ArchivedPostRepository hangs = new ArchivedPostRepository(site().bean(ArchiveDatabase.class),
				site().bean(SharedArchivedPostCache.class)) {
			@Override
			public Mono<Void> setCount(String id, String field, long count) {
				return Mono.fromRunnable(() -> asked.complete(null)).then(Mono.never());
			}
		};
		ArchiveReconciler sweeper = reconciler(hangs, site().bean(ArchivedCountsListener.class));
		String post = "0AAAAAAAAAAAA";
		site().bean(ArchiveReconciler.class).stop();
		try {
			site().redis().zadd(Keys.ARCHIVE_COUNTS, 7, post);
			Disposable sweeping = sweeper.sweep(0).subscribe();
			assertThat(asked).succeedsWithin(BOUND);
			sweeping.dispose();
			assertThat(site().redis().zscore(Keys.ARCHIVE_COUNTS, post)).isEqualTo(7);
		}
		finally {
			site().redis().zrem(Keys.ARCHIVE_COUNTS, post);
			site().bean(ArchiveReconciler.class).start();
		}
	}

	private ArchiveReconciler reconciler(ArchivedPostRepository posts, ArchivedCountsListener listener) {
		return new ArchiveReconciler(site().bean(ArchiveDatabase.class), posts, site().bean(ArchivedPostCounter.class),
				site().bean(LikesAndRepliesArchive.class), listener, site().bean(ReactiveStringRedisTemplate.class),
				site().bean(DataClock.class), new SimpleMeterRegistry());
	}

	@Test
	void whatWasCountedStaysNotedUntilItIsTold() {
		String post = "0AAAAAAAAAAAA";
		ArchivedPostRepository posts = site().bean(ArchivedPostRepository.class);
		site().bean(ArchiveReconciler.class).stop();
		try {
			site().redis().zadd(Keys.ARCHIVE_COUNTS, 7, post);
			reconciler(posts, (id, counted) -> Mono.just(false)).sweep(0).block(BOUND);
			assertThat(site().redis().zscore(Keys.ARCHIVE_COUNTS, post)).isEqualTo(7);
			reconciler(posts, (id, counted) -> Mono.just(true)).sweep(0).block(BOUND);
			assertThat(site().redis().zscore(Keys.ARCHIVE_COUNTS, post)).isNull();
		}
		finally {
			site().redis().zrem(Keys.ARCHIVE_COUNTS, post);
			site().bean(ArchiveReconciler.class).start();
		}
	}

	/** Each look at the log ends that it is full. */
	@Test
	void countsThatAFullLogDoesNotTakeAreNotTold() {
		String old = archivedWithLists();
		LogAdmissionControl admission = site().bean(LogAdmissionControl.class);
		Mono<Boolean> told = site().bean(ArchivedCountsListener.class)
			.counted(old, site().bean(PostArchive.class).findUncached(old));
		Awaitility.await().atMost(BOUND).until(() -> {
			admission.waits(Long.MAX_VALUE);
			return !told.blockOptional(BOUND).orElseThrow();
		});
		admission.waits(0);
		assertThat(told.block(BOUND)).isTrue();
	}

	/** The archive was away when a worker wanted to count them. */
	@Test
	void likesThatAreCountedLaterAreShownAlsoWhenTheirListHasMoved() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		assertThat(this.stranger.get("/posts/" + old).body()).contains(likes(old, 0));
		try (EventStream page = this.stranger.open("/live/posts/" + old)) {
			page.await((event) -> event.name().equals("position"));
			site().bean(LikesAndRepliesArchive.class).add(Keys.likes(old), this.liker.id(), 1).block(BOUND);
			site().bean(PostArchive.class).countLater(old).block(BOUND);
			sweep();
			page.await((event) -> event.name().equals("counts") && event.data().contains(old)
					&& event.data().contains("\"likes\":1"));
		}
		Awaitility.await().atMost(BOUND).until(() -> {
			moveLists(Duration.ZERO);
			return left(old).isEmpty();
		});
		assertThat(this.stranger.get("/posts/" + old + "/likes").body()).contains("@" + this.liker.name());
		assertThat(this.stranger.get("/posts/" + old).body()).contains(likes(old, 1));
	}

	/**
	 * An answer of Redis that is read little by little holds up all commands of its
	 * connection.
	 */
	@Test
	@Tag("slow")
	@Tag("long")
	void manyPostsThatAreNotedAreCountedInOneSweepAndManyLikesAreForgotten() {
		List<String> old = this.store.plant(this.author, 450, 100);
		move();
		old.forEach((post) -> site().redis().zadd(Keys.ARCHIVE_COUNTS, 1, post));
		sweep();
		assertThat(site().redis().zcard(Keys.ARCHIVE_COUNTS)).isZero();
		for (int i = 0; i < 450; i++) {
			site().redis().zadd(Keys.likes(old.get(0)), i + 1, "0L%011d".formatted(i));
		}
		site().bean(LikesAndRepliesArchive.class).forget(List.of(old.get(0))).block(BOUND);
		assertThat(site().redis().exists(Keys.likes(old.get(0)))).isZero();
	}

}
