package live.retwis.archive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import live.retwis.post.PostListRepository;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.AllPages;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The page of a tag goes on in the archive where the list of the tag ends. */
abstract class ArchivedTagsContract extends ArchivedListsContract {

	private final String tag = "t" + Visitor.freshName();

	private final long now = System.currentTimeMillis();

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
	void aTagIsNotedWhenItsListIsFull() {
		this.author.post("the first #" + this.tag);
		FanOutWait.settle(site());
		assertThat(site().redis().zscore(Keys.ARCHIVE_TAGS, this.tag)).isNull();
		for (int i = 1; i < PostListRepository.MOST; i++) {
			site().redis().zadd(Keys.tag(this.tag), i, "0W%011d".formatted(i));
		}
		String post = this.author.post("one more #" + this.tag);
		FanOutWait.settle(site());
		assertThat(site().redis().zscore(Keys.ARCHIVE_TAGS, this.tag)).isNotNull();
		assertThat(site().redis().zscore(Keys.ARCHIVE_UNINDEXED, post)).isNotNull();
	}

	/**
	 * Posts with the tag, the newest first: 25 that the tag's list has, 20 of a month ago
	 * that it has not, and 20 that have moved.
	 */
	private List<String> tagged() {
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
				site().bean(PostIndex.class).add(place.member(), place.score()).block(BOUND);
			}
		}
		site().bean(PostIndexer.class).writeNoted(this.now - Duration.ofDays(2).toMillis()).block(BOUND);
		move();
		assertThat(inArchive()).isEqualTo(all.subList(25, 65));
		return all;
	}

	private void goesOn() {
		site().bean(PostIndex.class).hasMoreOf(this.tag).block(BOUND);
	}

	private List<String> inArchive() {
		return site().bean(PostIndexRepository.class)
			.tagged(this.tag, new Cursor(Long.MAX_VALUE, ""), 100)
			.blockOptional(BOUND)
			.orElseThrow()
			.stream()
			.map(Cursor::member)
			.toList();
	}

}
