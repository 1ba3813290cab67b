package live.retwis.faults;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.faults.WorkloadHistory.Repost;
import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
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

	private static final List<LogEntry> LOG_WITH_REPOST = Stream.concat(LOG.stream(), Stream.of(repostEntry(7)))
		.toList();

	private static final String UNREAD = "{\"unread\":3}";

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
		assertViolation("post post2 came twice: at 1002-0.n2 and at 1002-0.n2",
				reading(EVERYONE, position(0), post(1), post(2), post(2), post(3), post(4), post(5), post(6)));
		assertViolation("post post1 came twice: at 1001-0.n1 and at 1001-0.n1, after a reset",
				reading(EVERYONE, position(0), post(1), reset(2), post(1), post(3), post(4), post(5), post(6)));
	}

	@Test
	void acceptsALostPostThatComesAgainAfterAReset() {
		SeenEvent cut = new SeenEvent(new LogPosition(1003, 0, "cut"), "post", "cut");
		assertThat(whole(LOG, MADE, reading(EVERYONE, position(0), post(1), post(2), cut, reset(2), cut, reset(2),
				post(3), post(4), post(5), post(6)))
			.violations()).isEmpty();
		assertViolation("post cut came twice: at 1003-0.cut and at 1003-0.cut",
				reading(EVERYONE, position(0), post(1), cut, cut, reset(2), post(3), post(4), post(5), post(6)));
	}

	@Test
	void acceptsAPostThatIsCommittedAgainAfterAReset() {
		SeenEvent lost = new SeenEvent(new LogPosition(1002, 0, "cut"), "post", "post3");
		assertThat(whole(LOG, MADE,
				reading(EVERYONE, position(0), post(1), lost, reset(1), post(2), post(3), post(4), post(5), post(6)))
			.violations()).isEmpty();
		assertViolation("post post3 came twice: at 1002-0.cut and at 1003-0.n3",
				reading(EVERYONE, position(0), post(1), lost, post(2), post(3), post(4), post(5), post(6)));
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
		twice.add(new LogEntry(new LogPosition(1007, 0, "n7"), LogEntry.Type.POST, "post6", "alice", ""));
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
		SeenEvent sameId = new SeenEvent(new LogPosition(1006, 0, "other"), "post", "other");
		assertThat(whole(LOG, MADE, reading(EVERYONE, position(0), post(1), post(2), post(3), post(4), post(5), sameId))
			.violations()).anySatisfy((violation) -> assertThat(violation).contains("1006-0.other"));
	}

	@Test
	void requiresEveryPostAfterAReset() {
		assertViolation("post post5 at 1005-0.n5 was lost",
				reading(EVERYONE, position(0), post(1), reset(3), post(4), post(6)));
	}

	@Test
	void findsALostRepost() {
		assertThat(reposting(repost(7, "post1")).violations()).isEmpty();
		assertThat(reposting().violations()).containsExactly("a stream: post post7 at 1007-0.n7 was lost");
	}

	@Test
	void acceptsThatARepostThatIsDeletedComesOrNot() {
		List<LogEntry> log = new ArrayList<>(LOG_WITH_REPOST);
		log.add(new LogEntry(at(8), LogEntry.Type.DELETE, "post7", "bob", ""));
		List<SeenEvent> seen = new ArrayList<>(all().seen());
		seen.add(deletion(8));
		assertThat(whole(log, MADE, reading(EVERYONE, seen.toArray(SeenEvent[]::new))).violations()).isEmpty();
		seen.add(seen.size() - 1, repost(7, "post1"));
		assertThat(whole(log, MADE, reading(EVERYONE, seen.toArray(SeenEvent[]::new))).violations()).isEmpty();
	}

	@Test
	void findsALostDeletionUnlessPagesNeedNotBeTold() {
		List<LogEntry> log = new ArrayList<>(LOG);
		log.add(new LogEntry(at(7), LogEntry.Type.DELETE, "post1", "alice", ""));
		assertThat(whole(log, MADE, all()).violations())
			.containsExactly("a stream: the deletion of post post1 at 1007-0.n7 was lost");
		log.set(7, entryWith(7, LogEntry.Type.DELETE, "post1", "alice", "silent"));
		assertThat(whole(log, MADE, all()).violations()).isEmpty();
	}

	@Test
	void findsARepostThatComesTwice() {
		assertThat(reposting(repost(7, "post1"), repost(7, "post1")).violations())
			.contains("a stream: post post7 came twice: at 1007-0.n7 and at 1007-0.n7");
	}

	@Test
	void findsARepostThatShowsAnotherPost() {
		assertThat(reposting(repost(7, "post3")).violations())
			.containsExactly("a stream: post post7 at 1007-0.n7 is not the log's");
		assertThat(reposting(post(7)).violations())
			.containsExactly("a stream: post post7 at 1007-0.n7 is not the log's");
	}

	@Test
	void findsAPostThatAUserRepostsTwice() {
		List<LogEntry> log = new ArrayList<>(LOG_WITH_REPOST);
		log.add(repostEntry(8));
		ReaderLog reading = reading(Set.of(), position(0));
		assertThat(new WorkloadHistory(log, MADE, Set.of(), List.of(reading)).violations())
			.containsExactly("post post1 is reposted twice by bob");
		log.add(new LogEntry(at(9), LogEntry.Type.DELETE, "post8", "bob", ""));
		reading = reading(Set.of(), position(0), deletion(9));
		assertThat(new WorkloadHistory(log, MADE, Set.of(), List.of(reading)).violations()).isEmpty();
	}

	@Test
	void findsAnAcknowledgedRepostThatIsNotInTheLog() {
		Set<Repost> acknowledged = Set.of(new Repost("post1", "bob"));
		List<ReaderLog> readings = List.of(reading(Set.of(), position(0)));
		String lost = "the repost of post post1 by bob was acknowledged and is not in the log";
		assertThat(new WorkloadHistory(LOG_WITH_REPOST, MADE, acknowledged, readings).violations()).isEmpty();
		assertThat(new WorkloadHistory(LOG, MADE, acknowledged, readings).violations()).containsExactly(lost);
		List<LogEntry> deleted = new ArrayList<>(LOG_WITH_REPOST);
		deleted.add(new LogEntry(at(8), LogEntry.Type.DELETE, "post7", "bob", ""));
		readings = List.of(reading(Set.of(), position(0), deletion(8)));
		assertThat(new WorkloadHistory(deleted, MADE, acknowledged, readings).violations()).containsExactly(lost);
	}

	@Test
	void findsWhatComesOfAnAuthorAfterTheMute() {
		assertThat(muting(post(1), post(2), post(4), post(6))).isEmpty();
		assertThat(muting(post(2), post(4), post(6))).isEmpty();
		assertThat(muting(post(1), post(2), post(4), post(5), post(6)))
			.containsExactly("a stream: post post5 at 1005-0.n5 came, but its author is hidden since 1003-0.n3");
		assertThat(muting(post(2), post(4), post(6), repost(7, "post1")))
			.containsExactly("a stream: post post7 at 1007-0.n7 came, but its author is hidden since 1003-0.n3");
		assertThat(muting(post(2), post(6))).containsExactly("a stream: post post4 at 1004-0.n4 was lost");
	}

	@Test
	void findsWhatComesTooEarlyOrIsLostWhenAMuteEnds() {
		LateRestriction.End certain = LateRestriction.End.CERTAIN;
		int never = Integer.MAX_VALUE;
		assertThat(unmuting(certain, never, post(1), post(5), post(6), repost(7, "post1"))).isEmpty();
		assertThat(unmuting(certain, never, post(1), post(3), post(5), post(6), repost(7, "post1")))
			.containsExactly("a stream: post post3 at 1003-0.n3 came, but its author is hidden since 1002-0.n2");
		assertThat(unmuting(certain, 2, post(1), post(3), post(5), post(6), repost(7, "post1"))).as("replayed")
			.isEmpty();
		assertThat(unmuting(certain, never, post(1), post(6), repost(7, "post1")))
			.containsExactly("a stream: post post5 at 1005-0.n5 was lost");
		assertThat(unmuting(certain, never, post(1), post(5), post(6)))
			.containsExactly("a stream: post post7 at 1007-0.n7 was lost");
		LateRestriction.End uncertain = LateRestriction.End.UNCERTAIN;
		assertThat(unmuting(uncertain, never, post(1), post(3), post(5), post(6))).as("the end may be lost").isEmpty();
		assertThat(unmuting(uncertain, never, post(1), post(6))).isEmpty();
	}

	@Test
	void findsCountsAndUnreadNumbersThatDidNotCome() {
		assertThat(counting(number(7, counts("post1", 1)), number(8, counts("post1", 2)), number(9, UNREAD))).isEmpty();
		assertThat(counting(number(8, counts("post1", 2)), number(9, UNREAD))).as("only the last ones").isEmpty();
		assertThat(counting(number(7, counts("post1", 1)), number(9, UNREAD))).containsExactly(
				"a stream: " + counts("post1", 2) + " did not come, the last one was " + counts("post1", 1));
		assertThat(counting(number(8, counts("post1", 2))))
			.containsExactly("a stream: " + UNREAD + " did not come, the last one was null");
		assertThat(counting(reset(9))).as("on the page that is read again").isEmpty();
	}

	@Test
	void acceptsThatAReaderWhoMayStopDoesNotSeeWhatComesLater() {
		List<SeenEvent> seen = List.of(position(0), post(1), post(2), post(3), post(4), post(5));
		assertThat(new ReaderLog("a stream", "carol", WorkloadPeople.by(EVERYONE), LateRestriction.NONE, at(5), seen,
				Integer.MAX_VALUE)
			.violations(LOG)).isEmpty();
	}

	/** Alice's first post is liked twice, and Carol and Bob are notified. */
	private static List<String> counting(SeenEvent... seen) {
		List<LogEntry> log = new ArrayList<>(LOG);
		log.add(entryWith(7, LogEntry.Type.COUNTS, "post1", "alice", counts("post1", 1)));
		log.add(entryWith(8, LogEntry.Type.COUNTS, "post1", "alice", counts("post1", 2)));
		log.add(entryWith(9, LogEntry.Type.NOTIFY, "", "carol", UNREAD));
		log.add(entryWith(10, LogEntry.Type.NOTIFY, "", "bob", "{\"unread\":4}"));
		List<SeenEvent> all = new ArrayList<>(all().seen());
		all.addAll(List.of(seen));
		return reading(EVERYONE, all.toArray(SeenEvent[]::new)).staleNumbers(log);
	}

	private static LogEntry entryWith(int number, LogEntry.Type type, String post, String user, String facts) {
		return new LogEntry(at(number), type, post, user, "", facts, false);
	}

	private static String counts(String post, int likes) {
		return "{\"post\":\"" + post + "\",\"replies\":0,\"likes\":" + likes + ",\"reposts\":0}";
	}

	private static SeenEvent deletion(int number) {
		return new SeenEvent(at(number), "delete", "");
	}

	private static SeenEvent number(int number, String facts) {
		return new SeenEvent(at(number), "counts", "", "", facts);
	}

	/** Carol mutes Alice in place of entry 3. */
	private static List<String> muting(SeenEvent... seen) {
		List<LogEntry> log = new ArrayList<>(LOG_WITH_REPOST);
		log.set(3, new LogEntry(at(3), LogEntry.Type.MUTE, "", "carol", "alice"));
		return restricted(log, LateRestriction.End.NEVER, Integer.MAX_VALUE, seen);
	}

	/**
	 * Carol mutes Alice in place of entry 2, until entry 4.
	 * @param sinceRelease index of the first event of a connection that was opened later
	 */
	private static List<String> unmuting(LateRestriction.End end, int sinceRelease, SeenEvent... seen) {
		List<LogEntry> log = new ArrayList<>(LOG_WITH_REPOST);
		log.set(2, new LogEntry(at(2), LogEntry.Type.MUTE, "", "carol", "alice"));
		log.set(4, new LogEntry(at(4), LogEntry.Type.UNMUTE, "", "carol", "alice"));
		return restricted(log, end, sinceRelease, seen);
	}

	private static List<String> restricted(List<LogEntry> log, LateRestriction.End end, int sinceRelease,
			SeenEvent... seen) {
		LateRestriction restriction = new LateRestriction("carol", "alice", Map.of("post1", "alice"), end);
		List<SeenEvent> all = new ArrayList<>(List.of(position(0)));
		all.addAll(List.of(seen));
		return new ReaderLog("a stream", "carol", WorkloadPeople.by(EVERYONE), restriction, at(99), all, sinceRelease)
			.violations(log);
	}

	/** What a reader sees after the posts, when Bob has reposted the first one. */
	private static WorkloadHistory reposting(SeenEvent... seen) {
		List<SeenEvent> all = new ArrayList<>(all().seen());
		all.addAll(List.of(seen));
		return whole(LOG_WITH_REPOST, MADE, reading(EVERYONE, all.toArray(SeenEvent[]::new)));
	}

	private static void assertViolation(String expected, ReaderLog reading) {
		assertThat(whole(LOG, MADE, reading).violations())
			.anySatisfy((violation) -> assertThat(violation).endsWith(expected));
	}

	private static ReaderLog all() {
		return reading(EVERYONE, position(0), post(1), post(2), post(3), post(4), post(5), post(6));
	}

	private static WorkloadHistory whole(List<LogEntry> log, Set<String> acknowledged, ReaderLog reading) {
		return new WorkloadHistory(log, acknowledged, Set.of(), List.of(reading));
	}

	private static ReaderLog reading(Set<String> authors, SeenEvent... seen) {
		return new ReaderLog("a stream", "carol", WorkloadPeople.by(authors), LateRestriction.NONE, at(99),
				Arrays.asList(seen), Integer.MAX_VALUE);
	}

	private static LogEntry entry(int number) {
		return new LogEntry(at(number), LogEntry.Type.POST, "post" + number, (number % 2 == 0) ? "bob" : "alice", "");
	}

	/** Bob reposts the first post. */
	private static LogEntry repostEntry(int number) {
		return new LogEntry(at(number), LogEntry.Type.POST, "post" + number, "bob", "", "=post1", false);
	}

	private static SeenEvent repost(int number, String original) {
		return new SeenEvent(at(number), "post", "post" + number, original);
	}

	private static LogPosition at(int number) {
		return new LogPosition(1000 + number, 0, "n" + number);
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
