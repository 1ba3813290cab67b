package live.retwis.faults;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import live.retwis.log.LogEntry;
import live.retwis.log.Position;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The check of a history finds every kind of mistake. Alice and Bob post in turn, and
 * entry 0 is older than the workload.
 */
class WorkloadHistoryTests {

	private static final Set<String> EVERYONE = Set.of("alice", "bob");

	private static final List<LogEntry> LOG = IntStream.range(0, 7).mapToObj(WorkloadHistoryTests::entry).toList();

	private static final Set<String> MADE = Set.of("post1", "post2", "post3", "post4", "post5", "post6");

	@Test
	void acceptsACorrectHistory() {
		whole(LOG, MADE, reading(EVERYONE, position(0), post(1), post(2), position(2), post(3), post(4), post(5),
				position(5), post(6)))
			.assertWhole();
		whole(LOG, MADE, reading(Set.of("bob"), position(0), post(2), position(3), post(4), post(6))).assertWhole();
		whole(LOG, MADE, reading(EVERYONE, position(3), post(4), post(5), post(6))).assertWhole();
	}

	@Test
	void findsALostPost() {
		assertViolation("post post3 at 1003-0.n3 was lost",
				reading(EVERYONE, position(0), post(1), post(2), post(4), post(5), post(6)));
		assertViolation("post post6 at 1006-0.n6 was lost", reading(Set.of("bob"), position(0), post(2), post(4)));
	}

	@Test
	void findsAPostThatComesTwice() {
		assertViolation("post post2 came twice",
				reading(EVERYONE, position(0), post(1), post(2), post(2), post(3), post(4), post(5), post(6)));
		assertViolation("post post1 came twice",
				reading(EVERYONE, position(0), post(1), reset(2), post(1), post(3), post(4), post(5), post(6)));
	}

	@Test
	void acceptsALostPostThatComesAgainAfterAReset() {
		SeenEvent cut = new SeenEvent(new Position(1003, 0, "cut"), "post", "cut");
		assertThat(whole(LOG, MADE, reading(EVERYONE, position(0), post(1), post(2), cut, reset(2), cut, reset(2),
				post(3), post(4), post(5), post(6)))
			.violations()).isEmpty();
		assertViolation("post cut came twice",
				reading(EVERYONE, position(0), post(1), cut, cut, reset(2), post(3), post(4), post(5), post(6)));
	}

	@Test
	void findsAWrongOrder() {
		assertViolation("post at 1002-0.n2 came after 1003-0.n3",
				reading(EVERYONE, position(0), post(1), post(3), post(2), post(4), post(5), post(6)));
		assertViolation("position at 1001-0.n1 came after 1002-0.n2",
				reading(EVERYONE, position(0), post(1), post(2), position(1), post(3), post(4), post(5), post(6)));
	}

	@Test
	void findsAPostOfAnotherAuthor() {
		assertViolation("post post1 at 1001-0.n1 is not the log's",
				reading(Set.of("bob"), position(0), post(1), post(2), post(4), post(6)));
	}

	@Test
	void findsAnEmptyStream() {
		assertViolation("nothing came", reading(EVERYONE));
	}

	@Test
	void findsAFormThatMadeTwoPosts() {
		assertThat(whole(LOG, Set.of("post1", "post2", "post3", "post4", "post5"), all()).violations())
			.containsExactly("post post6 is in the log, but no form's answer");
		List<LogEntry> twice = new ArrayList<>(LOG);
		twice.add(new LogEntry(new Position(1007, 0, "n7"), LogEntry.Type.POST, "post6", "alice", ""));
		assertThat(whole(twice, MADE, all()).violations()).contains("post post6 is in the log twice");
	}

	@Test
	void findsAnAcknowledgedPostThatIsNotInTheLogUnlessTheLogWasCut() {
		WorkloadHistory history = whole(LOG.subList(0, 6), MADE,
				reading(EVERYONE, position(0), post(1), post(2), post(3), post(4), post(5), post(6), reset(5)));
		assertThatThrownBy(history::assertWhole).hasMessageContaining("acknowledged and is not in the log")
			.hasMessageContaining("was reset");
		assertThatCode(history::assertWholeExceptTheCut).doesNotThrowAnyException();
		assertThat(history.lost()).containsExactly("post6");
	}

	@Test
	void findsAReaderWhoSawALostPostAndGotNoReset() {
		WorkloadHistory history = whole(LOG.subList(0, 6), MADE,
				reading(EVERYONE, position(0), post(1), post(2), post(3), post(4), post(5), post(6)));
		assertThat(history.violations()).singleElement()
			.asString()
			.contains("post at 1006-0.n6, which the log does not hold");
		SeenEvent sameId = new SeenEvent(new Position(1006, 0, "other"), "post", "other");
		assertThat(whole(LOG, MADE, reading(EVERYONE, position(0), post(1), post(2), post(3), post(4), post(5), sameId))
			.violations()).anySatisfy((violation) -> assertThat(violation).contains("1006-0.other"));
	}

	@Test
	void requiresEveryPostAfterAReset() {
		assertViolation("post post5 at 1005-0.n5 was lost",
				reading(EVERYONE, position(0), post(1), reset(3), post(4), post(6)));
	}

	private static void assertViolation(String expected, ReaderLog reading) {
		assertThat(whole(LOG, MADE, reading).violations())
			.anySatisfy((violation) -> assertThat(violation).endsWith(expected));
	}

	private static ReaderLog all() {
		return reading(EVERYONE, position(0), post(1), post(2), post(3), post(4), post(5), post(6));
	}

	private static WorkloadHistory whole(List<LogEntry> log, Set<String> acknowledged, ReaderLog reading) {
		return new WorkloadHistory(log, acknowledged, List.of(reading));
	}

	private static ReaderLog reading(Set<String> authors, SeenEvent... seen) {
		return new ReaderLog("a stream", WorkloadPeople.by(authors), Arrays.asList(seen));
	}

	private static LogEntry entry(int number) {
		return new LogEntry(at(number), LogEntry.Type.POST, "post" + number, (number % 2 == 0) ? "bob" : "alice", "");
	}

	private static Position at(int number) {
		return new Position(1000 + number, 0, "n" + number);
	}

	private static SeenEvent post(int number) {
		return new SeenEvent(at(number), "post", "post" + number);
	}

	private static SeenEvent position(int number) {
		return new SeenEvent(at(number), "position", "");
	}

	private static SeenEvent reset(int number) {
		return new SeenEvent(at(number), "reset", "");
	}

}
