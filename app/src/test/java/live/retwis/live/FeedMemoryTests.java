package live.retwis.live;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import live.retwis.log.LogEntry;
import live.retwis.log.LogEntry.Type;
import live.retwis.log.LogPosition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.util.unit.DataSize;

import static live.retwis.live.Entries.at;
import static live.retwis.live.Entries.counts;
import static live.retwis.live.Entries.delete;
import static live.retwis.live.Entries.post;
import static live.retwis.live.Entries.silent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The newest log entries, which an instance keeps in memory.
 */
class FeedMemoryTests {

	private final FeedMemory memory = new FeedMemory(Duration.ofSeconds(10), 4, DataSize.ofKilobytes(100));

	@Test
	void knowsNothingBeforeItBegins() {
		assertThat(this.memory.oldest()).isNull();
		assertThat(this.memory.newest()).isNull();
		assertThat(this.memory.holds(at(1))).isFalse();
	}

	@Test
	void returnsTheEntriesAfterAPositionInLogOrder() {
		this.memory.begin(at(1));
		this.memory.append(post(2, "a", "alice"));
		this.memory.append(silent(3, Type.FOLLOW, "bob", "alice"));
		this.memory.append(post(4, "b", "bob"));
		assertThat(after(at(2))).extracting(FeedEntry::position).containsExactly(at(3), at(4));
		assertThat(after(at(4))).isEmpty();
	}

	@Test
	void believesAPositionOnlyWithItsNonce() {
		this.memory.begin(at(1));
		this.memory.append(post(2, "a", "alice"));
		assertThat(this.memory.holds(at(2))).isTrue();
		assertThat(this.memory.holds(new LogPosition(at(2).millis(), 0, "another"))).isFalse();
		assertThat(this.memory.holds(new LogPosition(at(2).millis(), 1, "n2"))).isFalse();
	}

	@Test
	void forgetsTheOldestWhenThereAreTooMany() {
		this.memory.begin(at(1));
		for (int number = 2; number <= 6; number++) {
			this.memory.append(post(number, "p" + number, "alice"));
		}
		assertThat(this.memory.oldest()).isEqualTo(at(3));
		assertThat(this.memory.newest()).isEqualTo(at(6));
		assertThat(this.memory.holds(at(2))).isFalse();
		assertThat(this.memory.isFull()).isTrue();
	}

	@Test
	void entriesThatAreNeverReplayedTakeNoRoomFromPosts() {
		this.memory.begin(at(1));
		this.memory.append(post(2, "a", "alice"));
		this.memory.append(post(3, "b", "bob"));
		for (int number = 4; number < 100; number += 3) {
			this.memory.append(silent(number, Type.FOLLOW, "bob", "alice"));
			this.memory.append(silent(number + 1, Type.AUTH, "bob", ""));
			this.memory.append(counts(number + 2, "a", "alice"));
		}
		assertThat(this.memory.oldest()).isEqualTo(at(1));
		assertThat(this.memory.holds(at(50))).isTrue();
		assertThat(after(at(1)).stream().filter((entry) -> entry.frame() != null)).extracting(FeedEntry::position)
			.containsExactly(at(2), at(3), at(99));
	}

	@Test
	void ofTheNumbersOfUnreadNotificationsOnlyTheNewestOfAUserIsReplayed() {
		this.memory.begin(at(1));
		this.memory.append(unread(2, "alice"));
		this.memory.append(unread(3, "bob"));
		this.memory.append(unread(6, "alice"));
		this.memory.prepend(List.of(unread(5, "carol"), unread(4, "alice")));
		assertThat(after(at(1))).filteredOn((entry) -> entry.frame() != null)
			.extracting(FeedEntry::position)
			.containsExactly(at(3), at(5), at(6));
		assertThat(this.memory.isFull()).as("they take no room from posts").isFalse();
	}

	@Test
	void tellsWhoRepostedAPostAsLongAsItHasTheRepost() {
		this.memory.begin(at(1));
		this.memory.append(repost(2, "r1", "bob"));
		this.memory.append(repost(3, "r2", "carol"));
		assertThat(this.memory.repostersOf("p")).containsExactlyInAnyOrder("bob", "carol");
		assertThat(this.memory.repostersOf("r1")).isEmpty();
		this.memory.append(delete(4, "r1", "bob"));
		assertThat(this.memory.repostersOf("p")).containsExactly("carol");
		this.memory.begin(at(5));
		assertThat(this.memory.repostersOf("p")).isEmpty();
	}

	@Test
	void countersThatAreReadFromTheLogGoToTheFollowersOfWhoRepostedThePostBefore() {
		this.memory.begin(at(9));
		this.memory.prepend(List.of(post(9, "z", "dave"), counts(5, "p", "alice")));
		this.memory.prepend(List.of(counts(5, "p", "alice"), repost(4, "r1", "bob")));
		assertThat(after(at(4))).filteredOn((entry) -> entry.entry().type() == Type.COUNTS)
			.singleElement()
			.satisfies((entry) -> assertThat(entry.reposters()).containsExactly("bob"));
	}

	private static FeedEntry repost(int number, String id, String user) {
		return new FeedEntry(new LogEntry(at(number), Type.POST, id, user, "", "=p", false), Entries.frame(number));
	}

	private static FeedEntry unread(int number, String user) {
		return new FeedEntry(silent(number, Type.NOTIFY, user, "").entry(), Entries.frame(number));
	}

	@Test
	void countsOfADeletedPostAreNotReplayed() {
		this.memory.begin(at(1));
		this.memory.append(post(2, "a", "alice"));
		this.memory.append(counts(3, "a", "alice"));
		this.memory.append(delete(4, "a", "alice"));
		assertThat(after(at(1)).stream().filter((entry) -> entry.frame() != null)).extracting(FeedEntry::position)
			.containsExactly(at(4));
	}

	@Test
	void onlyTheNewestCountsOfAPostAreReplayed() {
		this.memory.begin(at(5));
		this.memory.append(counts(6, "a", "alice"));
		this.memory.prepend(List.of(silent(5, Type.AUTH, "bob", ""), counts(4, "a", "alice"), counts(3, "b", "bob"),
				counts(2, "b", "bob")));
		assertThat(after(at(1)).stream().filter((entry) -> entry.frame() != null)).extracting(FeedEntry::position)
			.containsExactly(at(3), at(6));
	}

	@Test
	void theNewestEventsStayWhenTheirEntriesAreReadAgain() {
		this.memory.begin(at(7));
		List<FeedEntry> known = List.of(silent(7, Type.AUTH, "bob", ""), counts(6, "a", "alice"), unread(5, "carol"),
				profile(4, "carol"));
		this.memory.prepend(known);
		this.memory.prepend(List.of(profile(4, "carol"), counts(3, "b", "bob")));
		this.memory.prepend(List.of(counts(3, "b", "bob"), post(2, "b", "bob")));
		assertThat(after(at(1)).stream().filter((entry) -> entry.frame() != null)).extracting(FeedEntry::position)
			.containsExactly(at(2), at(3), at(4), at(5), at(6));
	}

	@Test
	void theProfileOfAUserWhoIsGoneIsNotReplayedThoughAnOlderOneWasReadLater() {
		this.memory.begin(at(4));
		this.memory.append(profile(5, "carol"));
		this.memory.prepend(List.of(silent(4, Type.AUTH, "bob", ""), profile(3, "carol")));
		this.memory.append(silent(6, Type.CLOSED, "carol", ""));
		assertThat(after(at(2)).stream().filter((entry) -> entry.frame() != null)).isEmpty();
	}

	@Test
	void numbersOfAPostAndOfAUserWithTheSameIdAreDifferent() {
		this.memory.begin(at(1));
		this.memory.append(unread(2, "same"));
		this.memory.append(counts(3, "same", "alice"));
		this.memory.append(unread(4, "other"));
		this.memory.append(delete(5, "other", "alice"));
		assertThat(after(at(1)).stream().filter((entry) -> entry.frame() != null)).extracting(FeedEntry::position)
			.containsExactly(at(2), at(3), at(4), at(5));
	}

	private static FeedEntry profile(int number, String user) {
		return new FeedEntry(silent(number, Type.PROFILE, user, "").entry(), Entries.frame(number));
	}

	@Test
	void forgetsTheOldestWhenEntriesTakeTooMuchMemory() {
		FeedMemory small = new FeedMemory(Duration.ofHours(1), 100_000, DataSize.ofKilobytes(6));
		small.begin(at(1));
		for (int number = 2; number <= 100; number++) {
			small.append(silent(number, Type.FOLLOW, "bob", "alice"));
		}
		assertThat(after(small, at(1))).hasSizeBetween(15, 25);
		assertThat(small.newest()).isEqualTo(at(100));
		assertThat(small.isFull()).as("nothing older is looked for").isTrue();
	}

	@Test
	void topicsTakeMemoryToo() {
		FeedMemory small = new FeedMemory(Duration.ofHours(1), 100_000, DataSize.ofKilobytes(100));
		small.begin(at(1));
		List<String> topics = List.of("a".repeat(100), "b".repeat(100), "c".repeat(100), "d".repeat(100));
		for (int number = 2; number <= 300; number++) {
			small.append(new FeedEntry(post(number, "p" + number, "alice").entry(), Entries.frame(number), topics));
		}
		assertThat(after(small, at(1))).hasSizeBetween(60, 90);
	}

	@Test
	void forgetsOldEntriesExceptTheNewestOfThem() {
		this.memory.begin(at(1));
		this.memory.append(post(2, "a", "alice"));
		this.memory.append(post(20_000, "b", "alice"));
		assertThat(this.memory.oldest()).as("a page that was sent just before has this position").isEqualTo(at(2));
		assertThat(this.memory.isFull()).isTrue();
		this.memory.append(post(30_001, "c", "alice"));
		assertThat(this.memory.oldest()).isEqualTo(at(20_000));
	}

	@Test
	void keepsThePositionOfADeletedPostButNotItsMarkup() {
		this.memory.begin(at(1));
		this.memory.append(post(2, "a", "alice"));
		this.memory.append(delete(3, "a", "alice"));
		assertThat(this.memory.holds(at(2))).isTrue();
		assertThat(after(at(1))).extracting((entry) -> entry.frame() != null).containsExactly(false, true);
	}

	@Test
	void aDeletionOfAnUnknownPostChangesNothing() {
		this.memory.begin(at(1));
		this.memory.append(post(2, "a", "alice"));
		this.memory.append(delete(3, "long ago", "alice"));
		assertThat(after(at(1))).allMatch((entry) -> entry.frame() != null);
	}

	@Test
	void takesOlderEntriesWhileThereIsRoom() {
		this.memory.begin(at(5));
		this.memory.append(post(6, "f", "alice"));
		this.memory
			.prepend(List.of(post(5, "e", "bob"), post(4, "d", "bob"), post(3, "c", "bob"), post(2, "b", "bob")));
		assertThat(after(at(1))).extracting(FeedEntry::position).containsExactly(at(3), at(4), at(5), at(6));
		assertThat(after(at(1))).allMatch((entry) -> entry.frame() != null);
	}

	@Test
	void theFirstEntryGetsItsContentFromTheHistoryEvenWithoutRoom() {
		this.memory.begin(at(5));
		for (int number = 6; number <= 8; number++) {
			this.memory.append(post(number, "p" + number, "alice"));
		}
		this.memory.prepend(List.of(post(5, "e", "bob"), post(4, "d", "bob")));
		assertThat(this.memory.oldest()).isEqualTo(at(5));
		assertThat(after(at(4)).iterator().next().frame()).isNotNull();
	}

	@Test
	void aDeletedPostFromTheHistoryIsForgotten() {
		this.memory.begin(at(5));
		this.memory.prepend(List.of(silent(5, Type.AUTH, "bob", ""), post(4, "d", "bob")));
		this.memory.append(delete(6, "d", "bob"));
		assertThat(after(at(3))).first().extracting(FeedEntry::frame).isNull();
	}

	@Test
	void aPostDeletedWhileTheHistoryWasReadDoesNotComeBack() {
		this.memory.begin(at(5));
		this.memory.append(delete(6, "d", "bob"));
		this.memory.prepend(List.of(silent(5, Type.AUTH, "bob", ""), post(4, "d", "bob")));
		assertThat(after(at(3))).first().extracting(FeedEntry::frame).isNull();
	}

	@Test
	void aReplayThatNobodyReadsHoldsNoForgottenEntries() {
		this.memory.begin(at(1));
		List<WeakReference<FeedEntry>> forgotten = new ArrayList<>();
		List<Replay> ofAllAges = new ArrayList<>();
		for (int number = 2; number <= 100; number++) {
			FeedEntry entry = post(number, "p" + number, "alice");
			forgotten.add(new WeakReference<>(entry));
			this.memory.append(entry);
			ofAllAges.add(replay(number - 2));
			ofAllAges.get(number - 2).next();
		}
		Awaitility.await("only the newest four are held").atMost(Duration.ofSeconds(10)).until(() -> {
			System.gc();
			return forgotten.stream().filter((entry) -> entry.get() != null).count() <= 4;
		});
		assertThat(ofAllAges).allMatch(Replay::hasNext);
	}

	@Test
	void aReplayOfForgottenEntriesFailsInsteadOfLeavingThemOut() {
		this.memory.begin(at(1));
		for (int number = 2; number <= 5; number++) {
			this.memory.append(post(number, "p" + number, "alice"));
		}
		Replay replay = replay(1);
		assertThat(Entries.text(replay.next())).isEqualTo("frame 0");
		this.memory.append(post(6, "p6", "alice"));
		this.memory.append(post(7, "p7", "alice"));
		this.memory.append(post(8, "p8", "alice"));
		assertThatExceptionOfType(MissedEntryIterator.ForgottenException.class).isThrownBy(replay::next);
	}

	@Test
	void aReplayThatIsReadInTimeReturnsAllEntriesOfItsBeginning() {
		this.memory.begin(at(1));
		for (int number = 2; number <= 5; number++) {
			this.memory.append(post(number, "p" + number, "alice"));
		}
		Replay replay = replay(1);
		List<String> taken = new ArrayList<>();
		for (int number = 6; replay.hasNext(); number++) {
			taken.add(Entries.text(replay.next()));
			taken.add(replay.hasNext() ? Entries.text(replay.next()) : "");
			this.memory.append(post(number, "p" + number, "alice"));
		}
		assertThat(taken).containsExactly("frame 0", "frame 2", "frame 3", "frame 4", "frame 5",
				"id: " + at(5) + "\nevent: position\ndata: -\n\n");
	}

	@Test
	void aReplayOfALogThatWasCutFails() {
		this.memory.begin(at(1));
		this.memory.append(post(2, "a", "alice"));
		this.memory.append(post(3, "b", "alice"));
		Replay replay = replay(1);
		this.memory.begin(at(2));
		this.memory.append(post(3, "c", "alice"));
		assertThatExceptionOfType(MissedEntryIterator.ForgottenException.class).isThrownBy(replay::next);
	}

	@Test
	void aReplayContinuesWhenOlderEntriesAreAddedBeforeIt() {
		this.memory.begin(at(3));
		this.memory.append(post(4, "d", "alice"));
		Replay later = replay(3);
		this.memory.prepend(List.of(post(3, "c", "alice"), post(2, "b", "alice"), post(1, "a", "alice")));
		assertThat(texts(replay(1))).startsWith("frame 0", "frame 2", "frame 3", "frame 4");
		assertThat(texts(later)).startsWith("frame 0", "frame 4");
	}

	private List<FeedEntry> after(LogPosition position) {
		return after(this.memory, position);
	}

	private static List<FeedEntry> after(FeedMemory memory, LogPosition position) {
		List<FeedEntry> entries = new ArrayList<>();
		memory.after(position).forEachRemaining(entries::add);
		return entries;
	}

	private Replay replay(int after) {
		return new Replay(Entries.frame(0), this.memory.after(at(after)), (entry) -> true, (events) -> {
		});
	}

	private static List<String> texts(Replay replay) {
		List<String> texts = new ArrayList<>();
		replay.forEachRemaining((frame) -> texts.add(Entries.text(frame)));
		return texts;
	}

	@Test
	void beginningAgainForgetsEverything() {
		this.memory.begin(at(1));
		this.memory.append(post(2, "a", "alice"));
		this.memory.begin(at(9));
		assertThat(this.memory.holds(at(2))).isFalse();
		assertThat(this.memory.oldest()).isEqualTo(at(9)).isEqualTo(this.memory.newest());
	}

}
