package live.retwis.fanout;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import live.retwis.log.LogPosition;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FanOutSnapshotTests {

	/** Later than any entry of a test. */
	private static final String LATE = "9999999999999-0";

	/** As {@code fanout-state.lua} answers, with nothing in progress. */
	static List<String> answer(boolean more, long... elsewhere) {
		List<String> answer = new ArrayList<>(List.of("4", "0", "0", LATE, LATE, more ? "1" : "0", "0"));
		LongStream.of(elsewhere).mapToObj(Long::toString).forEach(answer::add);
		return answer;
	}

	private static FanOutSnapshot first() {
		return FanOutSnapshot.of(List.of(answer(true, 10, 20)));
	}

	private static FanOutSnapshot whole() {
		return FanOutSnapshot.of(List.of(answer(true, 10, 20), answer(false, 30, 40)));
	}

	private static LogPosition at(long millis) {
		return LogPosition.of(millis + "-0", "");
	}

	@Test
	void anEntryAfterTheLastListedOneIsNotCalledDoneBeforeTheWholeListIsRead() {
		assertThat(List.of(5L, 10L, 15L, 20L, 25L, 30L)).map((millis) -> first().isDone(at(millis)))
			.containsExactly(true, false, true, false, false, false);
		assertThat(List.of(5L, 10L, 15L, 20L, 25L, 30L)).map((millis) -> whole().isDone(at(millis)))
			.containsExactly(true, false, true, false, true, false);
	}

	@Test
	void allBeforeTheOldestListedOneIsDoneWhateverFollows() {
		assertThat(List.of(9L, 10L, 50L)).map((millis) -> first().isDoneUpTo(at(millis)))
			.containsExactly(true, false, false);
	}

	@Test
	void whatWasNotListedBeforeIsNotTakenForLost() {
		assertThat(whole().hasLost(first())).isFalse();
		assertThat(first().hasLost(whole())).isFalse();
		assertThat(FanOutSnapshot.of(List.of(answer(false, 10, 15, 20))).hasLost(first())).isTrue();
	}

}
