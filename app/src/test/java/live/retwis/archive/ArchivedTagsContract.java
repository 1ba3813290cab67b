package live.retwis.archive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.Range;
import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.post.PostListRepository;
import live.retwis.redis.Cursor;
import live.retwis.redis.DamagedKeyReporter;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import live.retwis.redis.SortedSetReader;
import live.retwis.tag.ListedTag;
import live.retwis.tag.TagSearch;
import live.retwis.testing.AllPages;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The page of a tag goes on in the archive where the list of the tag ends. */
abstract class ArchivedTagsContract extends ArchivedCountsContract {

	private static final long DAY = Duration.ofDays(1).toMillis();

	final String tag = "t" + Visitor.freshName();

	private final long now = System.currentTimeMillis();

	/** The site's own runs would come in between. */
	ArchivedTagsContract() {
		site().bean(ArchiveSearchIndexer.class).stop();
	}

	@Test
	void thePagesOfATagGoOnWhereItsListEnds() {
		List<String> all = tagged();
		assertThat(AllPages.idsOf(this.stranger, "/tags/" + this.tag)).isEqualTo(all.subList(0, 25));
		goesOn();
		assertThat(AllPages.idsOf(this.stranger, "/tags/" + this.tag)).isEqualTo(all);
		assertThat(this.stranger.get("/tags/nothing" + this.tag).postIds()).isEmpty();
	}

	@Test
	void aDeletedPostLeavesThePagesOfItsTag() {
		List<String> all = tagged();
		goesOn();
		List<String> deleted = List.of(all.get(3), all.get(30), all.get(60));
		deleted.forEach((post) -> assertThat(this.author.submit("/posts/" + post + "/delete").status()).isEqualTo(303));
		List<String> left = new ArrayList<>(all);
		left.removeAll(deleted);
		assertThat(AllPages.idsOf(this.stranger, "/tags/" + this.tag)).isEqualTo(left);
		FanOutWait.settle(site());
		sweep();
		assertThat(inArchive()).hasSize(38).doesNotContainAnyElementsOf(deleted);
		this.author.get("/settings");
		assertThat(this.author.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		FanOutWait.settle(site());
		sweep();
		assertThat(inArchive()).isEmpty();
		assertThat(this.stranger.get("/tags/" + this.tag).postIds()).isEmpty();
	}

	@Test
	void aTagIsNotedBeforeItsListIsFull() {
		this.author.post("the first #" + this.tag);
		FanOutWait.settle(site());
		assertThat(site().redis().zscore(Keys.ARCHIVE_TAGS, this.tag)).isNull();
		for (int i = 1; i < PostListRepository.MOST - 100; i++) {
			site().redis().zadd(Keys.tag(this.tag), i, "0W%011d".formatted(i));
		}
		String post = this.author.post("one more #" + this.tag);
		FanOutWait.settle(site());
		assertThat(site().redis().zscore(Keys.ARCHIVE_TAGS, this.tag)).isNotNull();
		assertThat(site().redis().zscore(Keys.ARCHIVE_UNINDEXED, post)).isNotNull();
	}

	/** An instance of an older release, or one without the setting, notes nothing. */
	@Test
	void aYoungPostThatNobodyNotedIsNotedByTheCatchUp() {
		String post = this.store.plant(this.author, new Cursor(this.now - 60_000, id()), tag());
		catchUp();
		assertThat(inArchive()).isEmpty();
		site().bean(ArchiveSearchIndexer.class).writeNoted(this.now).block(BOUND);
		assertThat(inArchive()).containsExactly(post);
	}

	@Test
	void aDayLaterAllPostsAreGoneThroughOnceMore() {
		catchUp();
		String post = this.store.plant(this.author, new Cursor(this.now - DAY, id()), tag());
		ArchiveSearchIndexer indexer = site().bean(ArchiveSearchIndexer.class);
		indexer.catchUp(this.now + DAY / 2).block(BOUND);
		assertThat(inArchive()).isEmpty();
		indexer.catchUp(this.now + DAY).block(BOUND);
		assertThat(inArchive()).containsExactly(post);
		this.store.plant(this.author, new Cursor(this.now - DAY, id()), tag());
		indexer.catchUp(this.now + 9 * DAY).block(BOUND);
		assertThat(inArchive()).containsExactly(post);
	}

	@Test
	void afterTooManyNotesAllPostsAreGoneThrough() {
		String post = this.store.plant(this.author, new Cursor(this.now - DAY, id()), tag());
		ArchiveSearchIndexer indexer = site().bean(ArchiveSearchIndexer.class);
		catchUp();
		site().bean(ArchivedPostRepository.class).remove(List.of(post)).block(BOUND);
		site().bean(ArchiveSearchIndex.class).add(post, this.now - DAY).block(BOUND);
		indexer.dropNotes(this.now, site().redis().zcard(Keys.ARCHIVE_UNINDEXED)).block(BOUND);
		assertThat(site().redis().zscore(Keys.ARCHIVE_UNINDEXED, post)).isNotNull();
		indexer.dropNotes(this.now, 0).block(BOUND);
		assertThat(site().redis().exists(Keys.ARCHIVE_UNINDEXED)).isZero();
		indexer.catchUp(this.now).block(BOUND);
		assertThat(inArchive()).containsExactly(post);
	}

	/** Redis was lost, or an older release deleted the post. */
	@Test
	void theTagsOfPostsThatExistNowhereGo() {
		site().bean(ArchiveSearchIndexRepository.class)
			.save(List.of(new ArchivedPost(id(), this.now - DAY, false, tag())), Long.MAX_VALUE)
			.block(BOUND);
		assertThat(inArchive()).hasSize(1);
		catchUp();
		assertThat(inArchive()).isEmpty();
	}

	@Test
	void aTagGoesOnAfterRedisHasLostWhichTagsDo() {
		List<String> all = tagged();
		site().redis().zrem(Keys.ARCHIVE_TAGS, this.tag);
		site().redis().del(Keys.tag(this.tag));
		catchUp();
		assertThat(AllPages.idsOf(this.stranger, "/tags/" + this.tag)).isEqualTo(all);
	}

	@Test
	void anotherInstanceWritesNothingMeanwhile() {
		String post = this.store.plant(this.author, new Cursor(this.now - DAY, id()), tag());
		site().bean(ArchiveSearchIndex.class).add(post, this.now - DAY).block(BOUND);
		site().redis().setex(Keys.ARCHIVE_MOVER, 60, "another");
		try {
			site().bean(ArchiveSearchIndexer.class).run().block(BOUND);
			assertThat(inArchive()).isEmpty();
		}
		finally {
			site().redis().del(Keys.ARCHIVE_MOVER);
		}
		site().bean(ArchiveSearchIndexer.class).run().block(BOUND);
		assertThat(inArchive()).containsExactly(post);
	}

	/** Another instance may have completed it meanwhile. */
	@Test
	void aPassThatBrokeOffBeginsAnew() {
		List<String> all = tagged();
		String name = site().redis().getdel(Keys.ARCHIVE_SITE);
		try {
			assertThatThrownBy(this::catchUp).isInstanceOf(IllegalStateException.class);
		}
		finally {
			site().redis().set(Keys.ARCHIVE_SITE, name);
		}
		site().bean(ArchivedPostRepository.class).removeFromIndex(all).block(BOUND);
		assertThat(inArchive()).isEmpty();
		catchUp();
		assertThat(inArchive()).isEqualTo(all);
	}

	@Test
	void aWishForAnotherPassIsHeededAlsoDuringTheFirstOne() {
		ReactiveStringRedisTemplate redis = site().bean(ReactiveStringRedisTemplate.class);
		MovablePosts posts = new MovablePosts(redis, site().bean(SortedSetReader.class), site().bean(DataClock.class),
				site().bean(ArchiveProperties.class), site().bean(OwnPostsProperties.class)) {
			@Override
			Flux<Cursor> listed() {
				return redis.delete(Keys.ARCHIVE_INDEXED).thenMany(super.listed());
			}
		};
		site().redis().del(Keys.ARCHIVE_INDEXED);
		indexer(posts).catchUp(this.now).block(BOUND);
		assertThat(site().redis().exists(Keys.ARCHIVE_INDEXED)).isZero();
	}

	private ArchiveSearchIndexer indexer(MovablePosts posts) {
		return indexer(site().bean(ArchiveTurn.class), posts, site().bean(ArchiveSearchIndexRepository.class));
	}

	private ArchiveSearchIndexer indexer(ArchiveTurn turn, MovablePosts posts, ArchiveSearchIndexRepository index) {
		return new ArchiveSearchIndexer(turn, posts, site().bean(ArchiveDatabase.class),
				site().bean(ArchivedPostRepository.class), index, site().bean(ReactiveStringRedisTemplate.class),
				site().bean(DataClock.class), site().bean(DamagedKeyReporter.class));
	}

	@Test
	void aTagWhoseKeyHoldsSomethingElseIsPassedOverAndTold() {
		List<String> all = tagged();
		site().redis().del(Keys.tag(this.tag));
		site().redis().set(Keys.tag(this.tag), "what?");
		double before = damaged();
		try {
			catchUp();
			assertThat(damaged()).isGreaterThan(before);
		}
		finally {
			site().redis().del(Keys.tag(this.tag));
		}
		assertThat(AllPages.idsOf(this.stranger, "/tags/" + this.tag)).isEqualTo(all);
	}

	@Test
	void aPassEndsAlthoughTheTagsCannotBeNoted() {
		tagged();
		String aside = Keys.ARCHIVE_TAGS + "-aside";
		site().bean(ArchiveSearchIndex.class).hasMoreOf("other").block(BOUND);
		site().redis().rename(Keys.ARCHIVE_TAGS, aside);
		site().redis().set(Keys.ARCHIVE_TAGS, "what?");
		double before = damaged();
		try {
			catchUp();
			assertThat(damaged()).isGreaterThan(before);
			assertThat(site().redis().get(Keys.ARCHIVE_INDEXED)).isGreaterThan(Long.toString(this.now));
		}
		finally {
			site().redis().rename(aside, Keys.ARCHIVE_TAGS);
		}
	}

	@Test
	void allPostsAreGoneThroughAlthoughTheNotesCannotBeRead() {
		String post = this.store.plant(this.author, new Cursor(this.now - DAY, id()), tag());
		this.store.plant(this.author, new Cursor(this.now - 60_000, id()), tag());
		String aside = Keys.ARCHIVE_UNINDEXED + "-aside";
		site().bean(ArchiveSearchIndex.class).add(id(), this.now).block(BOUND);
		site().redis().rename(Keys.ARCHIVE_UNINDEXED, aside);
		site().redis().set(Keys.ARCHIVE_UNINDEXED, "what?");
		double before = damaged();
		try {
			runAnew();
			assertThat(damaged()).isGreaterThan(before);
			assertThat(inArchive()).containsExactly(post);
		}
		finally {
			site().redis().rename(aside, Keys.ARCHIVE_UNINDEXED);
		}
	}

	@Test
	void notedPostsAreWrittenAlthoughNothingTellsWhenAllAreGoneThrough() {
		String post = this.store.plant(this.author, new Cursor(this.now - DAY, id()), tag());
		site().bean(ArchiveSearchIndex.class).add(post, this.now - DAY).block(BOUND);
		site().redis().del(Keys.ARCHIVE_INDEXED);
		site().redis().lpush(Keys.ARCHIVE_INDEXED, "what?");
		double before = damaged();
		try {
			indexer(site().bean(MovablePosts.class)).run().block(BOUND);
			assertThat(damaged()).isGreaterThan(before);
			assertThat(inArchive()).containsExactly(post);
		}
		finally {
			site().redis().del(Keys.ARCHIVE_INDEXED);
		}
	}

	@Test
	void allPostsAreGoneThroughWhenTheTimeForItIsNoNumber() {
		String post = this.store.plant(this.author, new Cursor(this.now - DAY, id()), tag());
		site().redis().set(Keys.ARCHIVE_INDEXED, "what?");
		site().bean(ArchiveSearchIndexer.class).catchUp(this.now).block(BOUND);
		assertThat(inArchive()).containsExactly(post);
		assertThat(site().redis().get(Keys.ARCHIVE_INDEXED)).isEqualTo(Long.toString(this.now + DAY));
	}

	private void runAnew() {
		site().redis().del(Keys.ARCHIVE_INDEXED, Keys.ARCHIVE_MOVER);
		indexer(site().bean(MovablePosts.class)).run().block(BOUND);
	}

	/** A statement for each tag may be slow. */
	@Test
	void theTurnIsRenewedOftenWhileTagsAreCounted() {
		AtomicInteger counted = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		ArchiveTurn turn = new ArchiveTurn(site().bean(ArchiveDatabase.class),
				site().bean(ReactiveStringRedisTemplate.class)) {
			@Override
			Mono<Boolean> isMine() {
				counted.set(0);
				return Mono.just(true);
			}
		};
		ArchiveSearchIndexRepository index = new ArchiveSearchIndexRepository(site().bean(ArchiveDatabase.class)) {
			@Override
			Flux<Map.Entry<String, Long>> counts(int bound) {
				return Flux.range(0, 1000).map((number) -> {
					most.accumulateAndGet(counted.incrementAndGet(), Math::max);
					return Map.entry(ArchivedTagsContract.this.tag + number, 0L);
				});
			}
		};
		site().redis().del(Keys.ARCHIVE_INDEXED);
		indexer(turn, site().bean(MovablePosts.class), index).catchUp(this.now).block(BOUND);
		assertThat(most).hasPositiveValue().hasValueLessThanOrEqualTo(100);
	}

	@Test
	void thePostsOfATagAreCountedUpToABound() {
		tagged();
		assertThat(counted(50)).isEqualTo(40);
		assertThat(counted(7)).isEqualTo(7);
	}

	private long counted(int most) {
		return site().bean(ArchiveSearchIndexRepository.class)
			.counts(most)
			.filter((tag) -> tag.getKey().equals(this.tag))
			.map(Map.Entry::getValue)
			.single()
			.blockOptional(BOUND)
			.orElseThrow();
	}

	@Test
	void aPassThatFailedDoesNotBeginAgainAtOnce() {
		AtomicInteger passes = new AtomicInteger();
		ArchiveSearchIndexer indexer = indexer(new MovablePosts(site().bean(ReactiveStringRedisTemplate.class),
				site().bean(SortedSetReader.class), site().bean(DataClock.class), site().bean(ArchiveProperties.class),
				site().bean(OwnPostsProperties.class)) {
			@Override
			Flux<Cursor> listed() {
				passes.incrementAndGet();
				return Flux.error(new IllegalStateException("for the test"));
			}
		});
		site().redis().del(Keys.ARCHIVE_INDEXED);
		site().redis().del(Keys.ARCHIVE_MOVER);
		indexer.run().onErrorComplete().block(BOUND);
		indexer.run().onErrorComplete().block(BOUND);
		assertThat(passes).hasValue(1);
		site().redis().del(Keys.ARCHIVE_INDEXED);
	}

	private double damaged() {
		return site().bean(MeterRegistry.class).get("retwis.keys.damaged").counter().count();
	}

	@Test
	void manyNotesAreLeftToTheInstanceWhoseTurnItIs() {
		for (int i = 1; i <= 600; i++) {
			site().redis().zadd(Keys.ARCHIVE_UNINDEXED, i, "0U%011d".formatted(i));
		}
		site().redis().setex(Keys.ARCHIVE_MOVER, 60, "another");
		try {
			site().bean(ArchiveSearchIndexer.class).writeNoted(600).block(BOUND);
			assertThat(site().redis().zcount(Keys.ARCHIVE_UNINDEXED, Range.create(0, 600))).isEqualTo(100);
		}
		finally {
			site().redis().del(Keys.ARCHIVE_MOVER);
		}
		site().bean(ArchiveSearchIndexer.class).writeNoted(600).block(BOUND);
		assertThat(site().redis().zcount(Keys.ARCHIVE_UNINDEXED, Range.create(0, 600))).isZero();
	}

	@Test
	void theMetricsTellHowManyPostsWaitForTheirTags() {
		site().bean(ArchiveReconciler.class).run().block(BOUND);
		double before = waiting();
		site().bean(ArchiveSearchIndex.class).add(id(), this.now - DAY).block(BOUND);
		site().bean(ArchiveSearchIndex.class).add(id(), this.now).block(BOUND);
		site().bean(ArchiveReconciler.class).run().block(BOUND);
		assertThat(waiting()).isEqualTo(before + 1);
		site().bean(ArchiveSearchIndexer.class).writeNoted(this.now).block(BOUND);
	}

	private double waiting() {
		return site().bean(MeterRegistry.class).get("retwis.archive.waiting").gauge().value();
	}

	@Test
	void theSearchFindsATagOfWhichOnlyTheArchiveHasPosts() {
		String post = this.author.post("the only young one #" + this.tag);
		FanOutWait.settle(site());
		goesOn();
		assertThat(this.author.submit("/posts/" + post + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		TagSearch search = site().bean(TagSearch.class);
		assertThat(search.find(this.tag, 5).block(BOUND)).extracting(ListedTag::tag).containsExactly(this.tag);
		site().redis().zrem(Keys.ARCHIVE_TAGS, this.tag);
		assertThat(search.find(this.tag, 5).block(BOUND)).isEmpty();
	}

	private void catchUp() {
		site().redis().del(Keys.ARCHIVE_INDEXED);
		site().bean(ArchiveSearchIndexer.class).catchUp(this.now).block(BOUND);
	}

	private Map<String, String> tag() {
		return Map.of("body", "Some #" + this.tag);
	}

	private static String id() {
		return "0V%011d".formatted(System.nanoTime() % 100_000_000_000L);
	}

	/**
	 * Posts with the tag, the newest first: 25 that the tag's list has, 20 of a month ago
	 * that it has not, and 20 that have moved.
	 */
	List<String> tagged() {
		List<String> all = new ArrayList<>();
		for (int i = 0; i < 65; i++) {
			int days = (i < 25) ? 1 : (i < 45) ? 30 : 100;
			Cursor place = new Cursor(this.now - Duration.ofDays(days).toMillis() - i * 1000L,
					"0V%011d".formatted((System.nanoTime() + i) % 100_000_000_000L));
			all.add(this.store.plant(this.author, place, Map.of("body", "Some #" + this.tag + " of old")));
			if (i < 25) {
				site().redis().zadd(Keys.tag(this.tag), (double) place.score(), place.member());
			}
			else {
				site().bean(ArchiveSearchIndex.class).add(place.member(), place.score()).block(BOUND);
			}
		}
		site().bean(ArchiveSearchIndexer.class).writeNoted(this.now - Duration.ofDays(2).toMillis()).block(BOUND);
		move();
		assertThat(inArchive()).isEqualTo(all.subList(25, 65));
		return all;
	}

	void goesOn() {
		site().bean(ArchiveSearchIndex.class).hasMoreOf(this.tag).block(BOUND);
	}

	private List<String> inArchive() {
		return site().bean(ArchiveSearchIndexRepository.class)
			.tagged(this.tag, new Cursor(Long.MAX_VALUE, ""), 100)
			.blockOptional(BOUND)
			.orElseThrow()
			.stream()
			.map(Cursor::member)
			.toList();
	}

}
