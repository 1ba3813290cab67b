package live.retwis.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import live.retwis.log.LogEntry;
import live.retwis.log.LogEntry.Type;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.web.Viewer;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

import static live.retwis.live.Entries.delete;
import static live.retwis.live.Entries.frame;
import static live.retwis.live.Entries.post;
import static live.retwis.live.Entries.silent;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which open streams receive which events.
 */
class LoopSubscribersTests {

	private static final String END = "end";

	private final MeterRegistry meters = new SimpleMeterRegistry();

	private final LoopSubscribers audience = new LoopSubscribers(new DeliveryMetrics(this.meters, OptionalLong::empty));

	private final Map<OpenStream, List<String>> told = new LinkedHashMap<>();

	private final Map<OpenStream, Disposable> sockets = new LinkedHashMap<>();

	private final OpenStream bobsHome = open(StreamSelection.home("bob"), "alice");

	private final OpenStream alices = open(StreamSelection.author("alice"));

	private final OpenStream everyone = open(StreamSelection.everyone());

	@Test
	void aChangeOfAPostIsSentToStreamsThatWantIt() {
		this.audience.tell(change(1, Type.COUNTS, "alice"));
		this.audience.tell(change(2, Type.COUNTS, "carol"));
		assertThat(received(this.bobsHome)).containsExactly("frame 1");
		assertThat(received(this.alices)).containsExactly("frame 1");
		assertThat(received(this.everyone)).containsExactly("frame 1", "frame 2");
	}

	@Test
	void aChangeOfAUserIsSentToEveryStream() {
		this.audience.tell(change(1, Type.PROFILE, "carol"));
		assertThat(received(this.bobsHome)).containsExactly("frame 1");
		assertThat(received(this.alices)).containsExactly("frame 1");
		assertThat(received(this.everyone)).containsExactly("frame 1");
	}

	@Test
	void whatAUserHasNotReadIsSentToEveryStreamOfThatUserOnly() {
		Viewer alice = new Viewer("alice", "alice");
		List<StreamSelection> alicesStreams = List.of(StreamSelection.home("alice"), StreamSelection.viewer("alice"),
				StreamSelection.everyone().seenBy(Optional.of(alice)),
				StreamSelection.author("bob").seenBy(Optional.of(alice)),
				StreamSelection.tag("redis").seenBy(Optional.of(alice)),
				StreamSelection.conversation("p1").seenBy(Optional.of(alice)));
		List<OpenStream> hers = alicesStreams.stream().map(this::open).toList();
		this.audience.tell(change(1, Type.NOTIFY, "alice"));
		assertThat(hers).allSatisfy((stream) -> assertThat(received(stream)).containsExactly("frame 1"));
		assertThat(received(this.bobsHome)).isEmpty();
		assertThat(received(this.alices)).isEmpty();
		assertThat(received(this.everyone)).isEmpty();
		assertThat(alicesStreams).allMatch((stream) -> stream.wants(Set.of(), change(2, Type.NOTIFY, "alice")));
		assertThat(StreamSelection.home("bob").wants(Set.of("alice"), change(2, Type.NOTIFY, "alice"))).isFalse();
		assertThat(StreamSelection.author("alice").wants(Set.of("alice"), change(2, Type.NOTIFY, "alice"))).isFalse();
	}

	@Test
	void aPostThatIsOlderThanAllOnThePageIsNotSent() {
		OpenStream late = open(StreamSelection.everyone().since(1005));
		this.audience.tell(post(4, "a", "alice"));
		this.audience.tell(change(4, Type.COUNTS, "alice"));
		this.audience.tell(post(5, "b", "alice"));
		assertThat(received(late)).containsExactly("frame 4", "frame 5");
	}

	@Test
	void aLightStreamIsToldOfNoPosts() {
		OpenStream light = open(StreamSelection.viewer("alice"));
		this.audience.tell(post(1, "a", "alice"));
		this.audience.tell(change(2, Type.COUNTS, "alice"));
		assertThat(received(light)).isEmpty();
		assertThat(light.interest().wants(Set.of(), post(3, "a", "alice"))).isFalse();
	}

	@Test
	void aLightStreamIsToldOfTheCountsOfThePostsThatItsPageShows() {
		OpenStream light = open(StreamSelection.viewer("").withCountsOf(List.of("p1", "p2")));
		FeedEntry counts = new FeedEntry(change(1, Type.COUNTS, "bob").entry(), Entries.frame(1),
				List.of(PostTopics.conversation("p1"), PostTopics.counts("p1")));
		this.audience.tell(counts);
		this.audience.tell(new FeedEntry(change(2, Type.COUNTS, "bob").entry(), Entries.frame(2),
				List.of(PostTopics.conversation("p3"), PostTopics.counts("p3"))));
		assertThat(received(light)).containsExactly("frame 1");
		assertThat(light.interest().wants(Set.of(), counts)).isTrue();
		this.audience.leave(light);
		this.audience.tell(counts);
		assertThat(received(light)).containsExactly("frame 1");
	}

	@Test
	void theCountsOfAPostGoOnceToEverybodyWhoFollowsOneWhoRepostedIt() {
		OpenStream davesHome = open(StreamSelection.home("dave"), "alice", "carol", "erin");
		FeedEntry counts = change(1, Type.COUNTS, "carol").repostedBy(Set.of("alice", "erin"));
		this.audience.tell(counts);
		assertThat(received(davesHome)).containsExactly("frame 1");
		assertThat(received(this.bobsHome)).containsExactly("frame 1");
		assertThat(received(this.alices)).containsExactly("frame 1");
		assertThat(received(this.everyone)).containsExactly("frame 1");
		assertThat(StreamSelection.home("bob").wants(Set.of("bob", "alice"), counts)).isTrue();
		assertThat(StreamSelection.home("bob").wants(Set.of("bob"), counts)).isFalse();
	}

	@Test
	void aHomeIsToldOnceOfTheCountsOfAPostThatItsPageShowsBecauseOfARepost() {
		OpenStream davesHome = open(StreamSelection.home("dave").withCountsOf(List.of("p1")), "bob");
		FeedEntry ofStranger = new FeedEntry(change(1, Type.COUNTS, "carol").entry(), Entries.frame(1),
				List.of(PostTopics.counts("p1")));
		this.audience.tell(ofStranger);
		this.audience.tell(new FeedEntry(change(2, Type.COUNTS, "bob").entry(), Entries.frame(2),
				List.of(PostTopics.counts("p1"))));
		this.audience.tell(new FeedEntry(change(3, Type.COUNTS, "carol").entry(), Entries.frame(3),
				List.of(PostTopics.counts("p3"))));
		assertThat(received(davesHome)).containsExactly("frame 1", "frame 2");
		assertThat(davesHome.interest().wants(Set.of("bob"), ofStranger)).isTrue();
		OpenStream public2 = open(StreamSelection.everyone().withCountsOf(List.of("p1")));
		this.audience.tell(ofStranger);
		assertThat(received(public2)).containsExactly("frame 1");
	}

	@Test
	void allStreamsOfAUserEndAfterALogOut() {
		OpenStream seenByBob = open(StreamSelection.everyone().seenBy(Optional.of(new Viewer("bob", "bob"))));
		OpenStream seenByCarol = open(StreamSelection.everyone().seenBy(Optional.of(new Viewer("carol", "carol"))));
		OpenStream light = open(StreamSelection.viewer("bob"));
		this.audience.tell(silent(1, Type.AUTH, "bob", ""));
		this.audience.tell(post(2, "a", "alice"));
		assertThat(received(seenByBob)).containsExactly(END);
		assertThat(received(light)).containsExactly(END);
		assertThat(received(seenByCarol)).containsExactly("frame 2");
	}

	private static FeedEntry change(int number, Type type, String user) {
		return new FeedEntry(silent(number, type, user, "").entry(), Entries.frame(number));
	}

	@Test
	void saysWhetherAnybodyWantsAnEntry() {
		this.audience.leave(this.everyone);
		assertThat(this.audience.tell(post(1, "c", "carol"))).isFalse();
		assertThat(this.audience.tell(post(2, "a", "alice"))).isTrue();
		assertThat(this.audience.tell(silent(3, Type.FOLLOW, "bob", "carol"))).isFalse();
		assertThat(this.audience.tell(post(4, "d", "carol"))).isTrue();
	}

	@Test
	void aPostIsSentToTheStreamsThatWantIt() {
		this.audience.tell(post(1, "a", "alice"));
		this.audience.tell(post(2, "c", "carol"));
		this.audience.tell(post(3, "b", "bob"));
		assertThat(received(this.bobsHome)).containsExactly("frame 1", "frame 3");
		assertThat(received(this.alices)).containsExactly("frame 1");
		assertThat(received(this.everyone)).containsExactly("frame 1", "frame 2", "frame 3");
	}

	@Test
	void aPostIsSentOnceToEachStreamOfOneOfItsTags() {
		OpenStream redis = open(StreamSelection.tag("redis"));
		OpenStream java = open(StreamSelection.tag("java"));
		OpenStream other = open(StreamSelection.tag("other"));
		this.audience.tell(tagged(1, "redis,java"));
		this.audience.tell(post(2, "b", "carol"));
		this.audience.tell(new FeedEntry(change(3, Type.COUNTS, "carol").entry(), frame(3), List.of("#redis")));
		assertThat(received(redis)).containsExactly("frame 1", "frame 3");
		assertThat(received(java)).containsExactly("frame 1");
		assertThat(received(other)).isEmpty();
		assertThat(redis.interest().wants(Set.of(), tagged(4, "redis"))).isTrue();
		assertThat(redis.interest().wants(Set.of(), tagged(5, "rediss"))).isFalse();
		this.audience.leave(redis);
		this.audience.tell(tagged(6, "redis"));
		assertThat(received(redis)).containsExactly("frame 1", "frame 3");
	}

	private static FeedEntry tagged(int number, String tags) {
		return new FeedEntry(new LogEntry(Entries.at(number), Type.POST, "p" + number, "carol", ""), frame(number),
				Stream.of(tags.split(",")).map(PostTopics::tag).toList());
	}

	@Test
	void aDeletionIsSentToAllStreams() {
		this.audience.tell(delete(1, "c", "carol"));
		assertThat(this.told.values()).allSatisfy((events) -> assertThat(events).containsExactly("frame 1"));
	}

	@Test
	void everyPageWithPostsReadsAgainWhenAUserIsRestored() {
		OpenStream tag = open(StreamSelection.tag("redis"));
		OpenStream conversation = open(StreamSelection.conversation("p1"));
		OpenStream light = open(StreamSelection.viewer("dave"));
		this.audience.tell(change(1, Type.RESTORED, "carol"));
		assertThat(List.of(this.bobsHome, this.alices, this.everyone, tag, conversation))
			.allSatisfy((stream) -> assertThat(received(stream)).containsExactly("frame 1"))
			.allMatch((stream) -> stream.interest().wants(Set.of(), change(2, Type.RESTORED, "carol")));
		assertThat(received(light)).isEmpty();
		assertThat(light.interest().wants(Set.of(), change(2, Type.RESTORED, "carol"))).isFalse();
	}

	@Test
	void aPostThatIsAlreadyDeletedIsSentToNobody() {
		this.audience.tell(new FeedEntry(post(1, "a", "alice").entry(), null));
		assertThat(this.told.values()).allSatisfy((events) -> assertThat(events).isEmpty());
	}

	@Test
	void aFollowCountsFromItsPlaceInTheLog() {
		this.audience.tell(post(1, "c", "carol"));
		this.audience.tell(silent(2, Type.FOLLOW, "bob", "carol"));
		this.audience.tell(post(3, "d", "carol"));
		this.audience.tell(silent(4, Type.UNFOLLOW, "bob", "carol"));
		this.audience.tell(post(5, "e", "carol"));
		assertThat(received(this.bobsHome)).containsExactly("frame 3");
	}

	@Test
	void aFollowByAnotherUserChangesNothing() {
		this.audience.tell(silent(1, Type.FOLLOW, "dave", "carol"));
		this.audience.tell(silent(2, Type.FOLLOW, "alice", "carol"));
		this.audience.tell(post(3, "c", "carol"));
		assertThat(received(this.bobsHome)).isEmpty();
		assertThat(received(this.alices)).isEmpty();
	}

	@Test
	void aFollowBeforeTheHomeJoinedCountsWhenItJoins() {
		OpenStream davesHome = announced(StreamSelection.home("dave"));
		this.audience.tell(silent(1, Type.FOLLOW, "dave", "carol"));
		this.audience.tell(post(2, "c", "carol"));
		join(davesHome);
		this.audience.tell(post(3, "d", "carol"));
		assertThat(received(davesHome)).containsExactly("frame 3");
	}

	@Test
	void aMuteAndABlockCountFromTheirPlacesInTheLogOnEveryStreamOfTheirUser() {
		OpenStream seenByBob = open(StreamSelection.everyone().seenBy(Optional.of(new Viewer("bob", "bob"))));
		this.audience.tell(post(1, "a", "alice"));
		this.audience.tell(silent(2, Type.MUTE, "bob", "alice"));
		this.audience.tell(post(3, "b", "alice"));
		this.audience.tell(silent(4, Type.BLOCK, "bob", "alice"));
		this.audience.tell(silent(5, Type.UNMUTE, "bob", "alice"));
		this.audience.tell(post(6, "c", "alice"));
		this.audience.tell(change(7, Type.COUNTS, "alice"));
		this.audience.tell(silent(8, Type.UNBLOCK, "bob", "alice"));
		this.audience.tell(post(9, "d", "alice"));
		assertThat(received(this.bobsHome)).containsExactly("frame 1", "frame 7", "frame 9");
		assertThat(received(seenByBob)).containsExactly("frame 1", "frame 7", "frame 9");
		assertThat(received(this.everyone)).containsExactly("frame 1", "frame 3", "frame 6", "frame 7", "frame 9");
	}

	@Test
	void aRepostIsHiddenWhoeverOfItsTwoAuthorsIsMuted() {
		this.audience.tell(silent(1, Type.MUTE, "bob", "carol"));
		this.audience.tell(repost(2, "alice", "carol"));
		this.audience.tell(repost(3, "alice", "dave"));
		this.audience.tell(silent(4, Type.MUTE, "bob", "alice"));
		this.audience.tell(repost(5, "alice", "dave"));
		assertThat(received(this.bobsHome)).containsExactly("frame 3");
	}

	private static FeedEntry repost(int number, String user, String author) {
		return new FeedEntry(post(number, "p" + number, user).entry(), frame(number), List.of(), author);
	}

	@Test
	void theStreamOfAUserShowsTheirPostsToWhoMutedThemAndNoneToWhoBlockedThem() {
		OpenStream seenByBob = open(StreamSelection.author("alice").seenBy(Optional.of(new Viewer("bob", "bob"))));
		this.audience.tell(silent(1, Type.MUTE, "bob", "alice"));
		this.audience.tell(post(2, "a", "alice"));
		this.audience.tell(silent(3, Type.BLOCK, "bob", "alice"));
		this.audience.tell(post(4, "b", "alice"));
		assertThat(received(seenByBob)).containsExactly("frame 2");
	}

	@Test
	void aPageWithoutALiveListIsToldOfAMuteUnlessItIsAboutThatUser() {
		OpenStream any = open(StreamSelection.viewer("bob"));
		OpenStream aboutAlice = open(StreamSelection.viewer("bob", "alice"));
		this.audience.tell(restriction(1, Type.MUTE, "alice"));
		this.audience.tell(change(2, Type.PROFILE, "alice"));
		this.audience.tell(restriction(3, Type.BLOCK, "alice"));
		this.audience.tell(change(4, Type.PROFILE, "alice"));
		this.audience.tell(restriction(5, Type.MUTE, "carol"));
		assertThat(received(any)).containsExactly("frame 1", "frame 3", "frame 5");
		assertThat(received(aboutAlice)).containsExactly("frame 2", "frame 3", "frame 5");
	}

	private static FeedEntry restriction(int number, Type type, String other) {
		return new FeedEntry(silent(number, type, "bob", other).entry(), Entries.frame(number));
	}

	@Test
	void aMuteBeforeTheStreamJoinedCountsWhenItJoins() {
		OpenStream davesHome = announced(StreamSelection.home("dave"));
		this.audience.tell(silent(1, Type.MUTE, "dave", "carol"));
		davesHome.hide(new HiddenAuthors(Set.of(), Set.of("alice")));
		join(davesHome, "carol", "alice", "erin");
		this.audience.tell(post(2, "c", "carol"));
		this.audience.tell(post(3, "a", "alice"));
		this.audience.tell(post(4, "e", "erin"));
		assertThat(received(davesHome)).containsExactly("frame 4");
	}

	@Test
	void aLogOutEndsOnlyTheHomeStreamsOfThatUser() {
		OpenStream second = open(StreamSelection.home("bob"));
		OpenStream davesHome = open(StreamSelection.home("dave"));
		this.audience.tell(silent(1, Type.AUTH, "bob", ""));
		assertThat(received(this.bobsHome)).containsExactly(END);
		assertThat(received(second)).containsExactly(END);
		assertThat(List.of(received(davesHome), received(this.alices), received(this.everyone)))
			.allMatch(List::isEmpty);
		assertThat(this.audience.size()).isEqualTo(3);
	}

	@Test
	void aLogOutEndsAHomeStreamThatHasNotJoinedYet() {
		OpenStream davesHome = announced(StreamSelection.home("dave"));
		this.audience.tell(silent(1, Type.AUTH, "dave", ""));
		join(davesHome);
		assertThat(received(davesHome)).containsExactly(END);
		assertThat(this.audience.size()).isEqualTo(3);
	}

	@Test
	void aStreamThatHasLeftReceivesNothingMore() {
		this.audience.leave(this.bobsHome);
		this.audience.leave(this.everyone);
		this.audience.leave(announced(StreamSelection.home("never joined")));
		this.audience.tell(silent(1, Type.FOLLOW, "bob", "carol"));
		this.audience.tell(post(2, "a", "alice"));
		this.audience.tell(delete(3, "a", "alice"));
		assertThat(received(this.bobsHome)).isEmpty();
		assertThat(received(this.everyone)).isEmpty();
		assertThat(received(this.alices)).containsExactly("frame 2", "frame 3");
		assertThat(this.audience.size()).isOne();
	}

	@Test
	void aStreamThatIsCutOffLeavesAndTheOthersContinue() {
		join(new OpenStream(StreamSelection.everyone(), new WebFluxOutlet(Runnable::run, 8)));
		for (int number = 1; number <= 9; number++) {
			this.audience.tell(post(number, "p" + number, "alice"));
		}
		assertThat(this.audience.size()).isEqualTo(3);
		assertThat(received(this.everyone)).hasSize(9).doesNotContain(END);
		assertThat(this.meters.counter("retwis.live.cut.off").count()).isOne();
	}

	@Test
	void aStreamThatFailsToBeCutOffDoesNotKeepTheOthersOpen() {
		OpenStream failing = new OpenStream(StreamSelection.everyone(), new WebFluxOutlet(Runnable::run, 8) {

			@Override
			public void cutOff() {
				throw new IllegalStateException("made by a test");
			}

		});
		this.audience.leave(this.everyone);
		join(failing);
		OpenStream last = open(StreamSelection.everyone());
		this.audience.cutOff();
		assertThat(received(last)).containsExactly(END);
		assertThat(failing.isOver()).isTrue();
		assertThat(this.audience.size()).isZero();
		assertThat(this.meters.counter("retwis.live.cut.off").count()).isEqualTo(4);
	}

	@Test
	void aStreamWhoseSocketIsClosedLeavesAndIsNotCountedAsCutOff() {
		Objects.requireNonNull(this.sockets.get(this.everyone)).dispose();
		this.audience.tell(post(1, "a", "alice"));
		assertThat(this.audience.size()).isEqualTo(2);
		assertThat(this.meters.counter("retwis.live.cut.off").count()).isZero();
	}

	@Test
	void theOpenStreamsAreCountedByKind() {
		open(StreamSelection.home("carol"));
		assertThat(streams("home")).isEqualTo(2);
		this.audience.leave(this.bobsHome);
		this.audience.leave(this.bobsHome);
		this.audience.leave(announced(StreamSelection.home("never joined")));
		assertThat(streams("home")).isOne();
		assertThat(streams("everyone")).isOne();
		assertThat(streams("author")).isOne();
	}

	private double streams(String kind) {
		return this.meters.get("retwis.live.streams").tag("kind", kind).gauge().value();
	}

	@Test
	void aStreamThatIsTooOldIsEnded() {
		OpenStream old = announced(StreamSelection.author("alice"));
		this.audience.join(old, List.of(), 0);
		this.audience.endOld(frame(7));
		assertThat(this.audience.size()).isEqualTo(3);
		assertThat(received(old)).containsExactly("frame 7", END);
		assertThat(received(this.alices)).isEmpty();
	}

	@Test
	void onlyQuietStreamsGetAHeartbeat() {
		this.audience.sendToQuiet(frame(1), Duration.ofHours(1));
		assertThat(received(this.everyone)).isEmpty();
		this.audience.sendToQuiet(frame(2), Duration.ZERO);
		assertThat(this.told.values()).allSatisfy((events) -> assertThat(events).containsExactly("frame 2"));
	}

	@Test
	void theOldestStreamsAreEndedFirstEachWithItsOwnDelay() {
		int[] number = { 0 };
		this.audience.end(2, () -> frame(++number[0]));
		assertThat(this.audience.size()).isOne();
		assertThat(received(this.bobsHome)).containsExactly("frame 1", END);
		assertThat(received(this.alices)).containsExactly("frame 2", END);
		assertThat(received(this.everyone)).isEmpty();
		this.audience.end(2, () -> frame(++number[0]));
		assertThat(this.audience.size()).isZero();
		assertThat(received(this.everyone)).containsExactly("frame 3", END);
	}

	private List<String> received(OpenStream subscriber) {
		return this.told.getOrDefault(subscriber, List.of());
	}

	private OpenStream announced(StreamSelection interest) {
		OpenStream subscriber = new OpenStream(interest, new WebFluxOutlet(Runnable::run, 256));
		List<String> events = new ArrayList<>();
		this.told.put(subscriber, events);
		this.sockets.put(subscriber, subscriber.body(() -> {
		}).map(Entries::text).subscribe(events::add, null, () -> events.add(END)));
		this.audience.announce(subscriber);
		return subscriber;
	}

	private void join(OpenStream subscriber, String... followed) {
		this.audience.join(subscriber, List.of(followed), Duration.ofHours(1).toNanos());
	}

	private OpenStream open(StreamSelection interest, String... followed) {
		OpenStream subscriber = announced(interest);
		join(subscriber, followed);
		return subscriber;
	}

}
