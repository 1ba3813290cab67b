package live.retwis.redis;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TimelineBucketsTests {

	private static final List<String> USERS = IntStream.range(0, 64_000)
		.mapToObj((i) -> "0HNX%09d".formatted(i * 7919))
		.toList();

	@Test
	void allKeysOfATimelineAreInItsSlot() {
		assertThat(USERS).allMatch(
				(user) -> SlotHash.getSlot(Keys.homeTimeline(user)) == SlotHash.getSlot(Keys.homeCompleteFrom(user)));
	}

	@Test
	void timelinesAreSpreadEvenlyOverSixtyFourSlots() {
		Map<Integer, Long> slots = USERS.stream()
			.map(Keys::homeTimeline)
			.collect(Collectors.groupingBy(SlotHash::getSlot, Collectors.counting()));
		assertThat(slots).hasSize(64);
		assertThat(slots.values()).allMatch((timelines) -> timelines > 800 && timelines < 1200);
	}

	@Test
	void mastersWithEqualSlotsHaveEquallyManyBuckets() {
		for (int masters : new int[] { 2, 3, 4, 8, 16, 64 }) {
			Map<Integer, Long> buckets = USERS.stream()
				.map(Keys::homeTimeline)
				.map(SlotHash::getSlot)
				.distinct()
				.map((slot) -> slot * masters / SlotHash.SLOT_COUNT)
				.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
			assertThat(buckets).as("%s masters", masters).hasSize(masters);
			assertThat(buckets.values()).allMatch((count) -> count >= 64 / masters && count <= 64 / masters + 1);
		}
	}

}
