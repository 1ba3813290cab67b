package live.retwis.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;

import live.retwis.log.LogEntry.Type;
import org.junit.jupiter.api.Test;

import org.springframework.util.unit.DataSize;

import static live.retwis.live.Entries.at;
import static live.retwis.live.Entries.frame;
import static live.retwis.live.Entries.post;
import static live.retwis.live.Entries.silent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The first frames of a stream.
 */
class StreamReplayTests {

	private final List<Integer> counted = new ArrayList<>();

	@Test
	void isOnlyTheOpeningIfNothingWasMissed() {
		assertThat(texts(replay(List.of()))).containsExactly("frame 0");
		assertThat(this.counted).containsExactly(0);
	}

	@Test
	void returnsTheWantedEventsAndThenThePositionOfTheLastEntry() {
		List<FeedEntry> missed = List.of(post(1, "a", "alice"), post(2, "b", "bob"),
				new FeedEntry(post(3, "c", "alice").entry(), null), silent(4, Type.FOLLOW, "bob", "alice"));
		assertThat(texts(replay(missed))).containsExactly("frame 0", "frame 1",
				"id: " + at(4) + "\nevent: position\ndata: -\n\n");
		assertThat(this.counted).containsExactly(1);
	}

	@Test
	void isCountedOnlyWhenItWasReadToTheEnd() {
		Replay replay = replay(List.of(post(1, "a", "alice"), post(2, "b", "alice")));
		replay.next();
		replay.next();
		assertThat(replay.hasNext()).isTrue();
		assertThat(this.counted).isEmpty();
	}

	@Test
	void thereIsNothingAfterTheEnd() {
		Replay replay = replay(List.of());
		replay.next();
		assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(replay::next);
	}

	private Replay replay(List<FeedEntry> missed) {
		FeedMemory memory = new FeedMemory(Duration.ofHours(1), 100, DataSize.ofMegabytes(1));
		memory.begin(at(0));
		missed.forEach(memory::append);
		return new Replay(frame(0), memory.after(at(0)), (entry) -> entry.entry().user().equals("alice"),
				this.counted::add);
	}

	private static List<String> texts(Replay replay) {
		List<String> texts = new ArrayList<>();
		replay.forEachRemaining((frame) -> texts.add(Entries.text(frame)));
		return texts;
	}

}
