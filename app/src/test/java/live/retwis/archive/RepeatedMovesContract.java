package live.retwis.archive;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

import io.lettuce.core.Range;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Moves and deletions that are tried again, or of which a step fails. */
abstract class RepeatedMovesContract extends ArchiveContract {

	/** The first try removed its place from the list of those that readers pull. */
	@Test
	void aPostThatMovesAgainIsStillOneThatReadersPull() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		double committed = site().redis().zscore(Keys.postsOf(this.author.id()), old);
		site().redis().zadd(Keys.pulledOf(this.author.id()), committed, old);
		Map<String, String> fields = site().redis().hgetall(Keys.post(old));
		move();
		movesAgain(old, committed, fields);
		assertThat(site().bean(ArchivedPostRepository.class).readBack(List.of(old)).block(BOUND)).containsKey(old)
			.allSatisfy((id, post) -> assertThat(post.pulled()).isTrue());
		assertThat(this.store.inRedis(List.of(old))).isEmpty();
	}

	private void movesAgain(String post, double committed, Map<String, String> fields) {
		site().redis().hset(Keys.post(post), fields);
		site().redis().zadd(Keys.postsOf(this.author.id()), committed, post);
		move();
	}

	@Test
	void aCountThatTakesTooLongHoldsUpNoOtherAuthor() {
		Visitor other = Visitor.registered(site());
		List<String> gone = List.of(this.store.plant(this.author, 2, 200).get(0),
				this.store.plant(other, 2, 200).get(0));
		move();
		assertThat(this.author.submit("/posts/" + gone.get(0) + "/delete").status()).isEqualTo(303);
		assertThat(other.submit("/posts/" + gone.get(1) + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		reconcilerWith(new SlowCount(this.author.id())).sweep(Long.MAX_VALUE).block(BOUND);
		assertThat(archived(gone)).isEmpty();
		assertThat(gone).allMatch((post) -> site().redis().zscore(Keys.ARCHIVE_DELETED, post) == null);
		assertThat(this.stranger.get("/@" + other.name()).body()).contains("<b>1</b> post<");
	}

	/** A mover has written the post again meanwhile. */
	@Test
	void aDeletedPostThatIsNotedAgainMeanwhileStaysNoted() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		copy(old);
		long noted = System.currentTimeMillis() + BOUND.toMillis();
		site().redis().zadd(Keys.ARCHIVE_DELETED, noted, old);
		reconcilerWith(new ArchivedPostRepository(site().bean(ArchiveDatabase.class),
				site().bean(SharedArchivedPostCache.class)) {
			@Override
			public Mono<Void> remove(Collection<String> ids) {
				return super.remove(ids)
					.then(site().bean(ReactiveStringRedisTemplate.class)
						.opsForZSet()
						.add(Keys.ARCHIVE_DELETED, old, noted + 1))
					.then();
			}
		}).sweep(noted).block(BOUND);
		assertThat(archived(List.of(old))).isEmpty();
		assertThat(site().redis().zscore(Keys.ARCHIVE_DELETED, old)).isEqualTo(noted + 1);
		site().redis().zrem(Keys.ARCHIVE_DELETED, old);
	}

	@Test
	void manyDeletedPostsAreDeletedAtOnce() {
		List<String> many = IntStream.range(0, 1_100).mapToObj("0N%011d"::formatted).toList();
		many.forEach((post) -> site().redis().zadd(Keys.ARCHIVE_DELETED, 1, post));
		site().bean(ArchiveReconciler.class).sweep(2).block(BOUND);
		long left = site().redis().zcount(Keys.ARCHIVE_DELETED, Range.create(1, 1));
		site().redis().zrem(Keys.ARCHIVE_DELETED, many.toArray(String[]::new));
		assertThat(left).isZero();
	}

	/** The first 500 may have been on their way. */
	@Test
	void aMoverThatHasLostItsTurnMovesNoMorePosts() {
		this.store.plant(this.author, 1_100, 100);
		site().redis().setex(Keys.ARCHIVE_MOVER, 60, "another");
		try {
			move();
			assertThat(this.store.listed(this.author)).hasSizeGreaterThanOrEqualTo(600);
		}
		finally {
			site().redis().del(Keys.ARCHIVE_MOVER);
		}
		move();
		assertThat(this.store.listed(this.author)).isEmpty();
	}

	@Test
	void aMoverThatHasLostItsTurnMovesNoMoreLists() {
		List<String> lists = IntStream.range(0, 250).mapToObj("likes:0M%011d"::formatted).toList();
		lists.forEach((list) -> site().redis().zadd(Keys.ARCHIVE_LISTS, 1, list));
		site().redis().setex(Keys.ARCHIVE_MOVER, 60, "another");
		try {
			site().bean(LikesAndRepliesMover.class).moveAll(LikesAndRepliesMover.IDLE).block(BOUND);
			assertThat(site().redis().zcount(Keys.ARCHIVE_LISTS, Range.create(1, 1))).isEqualTo(150);
		}
		finally {
			site().redis().del(Keys.ARCHIVE_MOVER);
			lists.forEach((list) -> site().redis().del(Keys.listInUse(list)));
			site().redis().zrem(Keys.ARCHIVE_LISTS, lists.toArray(String[]::new));
		}
	}

	@Test
	void aPostWhosePlaceComesBackIsCountedOnce() {
		List<String> old = this.store.plant(this.author, 3, 200);
		Double committed = site().redis().zscore(Keys.postsOf(this.author.id()), old.get(1));
		move();
		site().redis().zadd(Keys.postsOf(this.author.id()), committed, old.get(1));
		move();
		assertThat(this.stranger.get(profile()).body()).contains("<b>3</b> posts<");
	}

	private ArchiveReconciler reconcilerWith(ArchivedPostRepository posts) {
		ArchiveDatabase database = site().bean(ArchiveDatabase.class);
		ReactiveStringRedisTemplate redis = site().bean(ReactiveStringRedisTemplate.class);
		return new ArchiveReconciler(database, posts, new ArchivedPostCounter(database, posts, redis),
				site().bean(LikesAndRepliesArchive.class), site().bean(ArchivedCountsListener.class), redis,
				site().bean(DataClock.class), new SimpleMeterRegistry());
	}

	/** The posts of one author cannot be counted in time. */
	private final class SlowCount extends ArchivedPostRepository {

		private final String slow;

		SlowCount(String author) {
			super(site().bean(ArchiveDatabase.class), site().bean(SharedArchivedPostCache.class));
			this.slow = author;
		}

		@Override
		Mono<Long> count(String of, Collection<String> except) {
			return of.equals(this.slow) ? Mono.error(new ArchiveAwayException(new TimeoutException("too slow")))
					: super.count(of, except);
		}

	}

}
