package live.retwis.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import live.retwis.testing.Site;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pages of a sorted set in which many members have the same score.
 */
class SortedSetReaderTests {

	private static final int PAGE = 20;

	private final Site site = Site.shared();

	private final SortedSetReader sortedSets = this.site.bean(SortedSetReader.class);

	private final String key = "test:" + UUID.randomUUID();

	private void add(long score, int from, int count) {
		for (int i = from; i < from + count; i++) {
			this.site.redis().zadd(this.key, score, String.format("%013d", i));
		}
	}

	private List<String> readHighest() {
		List<String> read = new ArrayList<>();
		Optional<Cursor> before = Optional.empty();
		while (true) {
			List<Cursor> page = Objects.requireNonNull(this.sortedSets.highest(this.key, before, PAGE).block());
			page.forEach((place) -> read.add(place.member()));
			if (page.size() < PAGE) {
				return read;
			}
			before = Optional.of(page.get(PAGE - 1));
		}
	}

	private List<String> readLowest() {
		List<String> read = new ArrayList<>();
		Optional<Cursor> after = Optional.empty();
		while (true) {
			List<Cursor> page = Objects.requireNonNull(this.sortedSets.lowest(this.key, after, PAGE).block());
			page.forEach((place) -> read.add(place.member()));
			if (page.size() < PAGE) {
				return read;
			}
			after = Optional.of(page.get(PAGE - 1));
		}
	}

	@Test
	void pagesShowEveryMemberOnceInBothDirections() {
		add(1_000, 0, 30);
		add(2_000, 5_000, 300);
		add(3_000, 9_000, 7);
		assertThat(readHighest()).isEqualTo(this.site.redis().zrevrange(this.key, 0, -1));
		assertThat(readLowest()).isEqualTo(this.site.redis().zrange(this.key, 0, -1));
	}

	@Test
	void moreThanAThousandMembersOfOneScoreAreAllReached() {
		add(1_000, 0, 1_100);
		add(500, 2_000, 5);
		assertThat(readHighest()).hasSize(1_105).isEqualTo(this.site.redis().zrevrange(this.key, 0, -1));
		assertThat(readLowest()).isEqualTo(this.site.redis().zrange(this.key, 0, -1));
	}

	@Test
	void anEmptySetHasAnEmptyPage() {
		assertThat(readHighest()).isEmpty();
		assertThat(readLowest()).isEmpty();
	}

	@Test
	void aCursorWhoseMemberIsGoneKeepsItsPlace() {
		add(1_000, 0, 10);
		Cursor gone = new Cursor(1_000, "0000000000005");
		this.site.redis().zrem(this.key, gone.member());
		assertThat(this.sortedSets.highest(this.key, Optional.of(gone), 2).block()).extracting(Cursor::member)
			.containsExactly("0000000000004", "0000000000003");
		assertThat(this.sortedSets.lowest(this.key, Optional.of(gone), 2).block()).extracting(Cursor::member)
			.containsExactly("0000000000006", "0000000000007");
	}

	@Test
	void newMembersAboveACursorDoNotMoveIt() {
		add(1_000, 0, 40);
		List<Cursor> first = Objects.requireNonNull(this.sortedSets.highest(this.key, Optional.empty(), PAGE).block());
		add(2_000, 100, 10);
		add(1_000, 200, 10);
		assertThat(this.sortedSets.highest(this.key, Optional.of(first.get(PAGE - 1)), PAGE).block())
			.extracting(Cursor::member)
			.hasSize(PAGE)
			.first()
			.isEqualTo("0000000000019");
	}

}
