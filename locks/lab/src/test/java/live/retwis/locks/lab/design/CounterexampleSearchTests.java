package live.retwis.locks.lab.design;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import live.retwis.locks.lab.check.RoundVerdict;
import live.retwis.locks.lab.design.RedlockDesign.Clock;
import live.retwis.locks.lab.design.RedlockDesign.FenceChoice;
import live.retwis.locks.lab.design.RedlockDesign.Order;
import live.retwis.locks.lab.design.RedlockDesign.Release;
import live.retwis.locks.lab.design.RedlockDesign.Vote;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.RoundRecord;
import live.retwis.locks.lab.steps.AcquisitionReader;
import live.retwis.locks.lab.steps.AcquisitionTrace.Exchange;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class CounterexampleSearchTests {

	private static final int SCHEDULES = 3_000;

	private static Optional<Counterexample> search(RedlockDesign design, int schedules) {
		return new CounterexampleSearch(design, schedules, () -> false).run(0);
	}

	private static boolean isBroken(RoundRecord round) {
		return !RoundVerdict.of(round).violations().isEmpty();
	}

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@EnumSource
	void eachMistakeHasACounterexampleWithFewFaults(Mistake mistake) {
		Counterexample found = search(mistake.design(), SCHEDULES).orElseThrow();
		assertThat(found.faults()).hasSizeLessThanOrEqualTo(mistake.faults());
		assertThat(RoundVerdict.of(found.record()).violations()).isNotEmpty();
		assertThat(LongStream.range(100, 110)).as("with delays that the search has not tried")
			.allMatch((seed) -> isBroken(DesignRound.playQuickly(mistake.design(), found.seed(), found.faults(),
					new DelayedClockReadScheduler(seed))));
		assertThat(Weakness.of(mistake.design())).hasSize(1);
		assertThat(found.mendings())
			.isEqualTo(Map.of(Weakness.of(mistake.design()).get(0), MendingOutcome.NOTHING_BREAKS));
		assertThat(AcquisitionReader.of(found.record())).isNotEmpty()
			.allSatisfy((one) -> assertThat(one.needed()).isEqualTo(mistake.design().quorum()));
	}

	@Test
	void ofTwoMistakesTheOneThatBreaksTheDesignIsTheCause() {
		RedlockDesign design = Mistake.DELETES_ANY_KEY.design().withClock(Clock.WALL);
		assertThat(Weakness.of(design)).containsExactly(Weakness.CLOCK, Weakness.RELEASE);
		assertThat(search(design, SCHEDULES)).get()
			.extracting(Counterexample::mendings)
			.isEqualTo(Map.of(Weakness.CLOCK, MendingOutcome.NO_HELP, Weakness.RELEASE, MendingOutcome.NOTHING_BREAKS));
	}

	@Test
	void aStoreThatComparesTheOwnerLosesNoWriteThoughTwoClientsStillHoldTheLock() {
		RedlockDesign design = Mistake.TOO_SMALL_A_QUORUM.design().withFence(FenceChoice.NUMBER);
		assertThat(search(design, SCHEDULES)).get()
			.extracting(Counterexample::mendings)
			.isEqualTo(Map.of(Weakness.QUORUM, MendingOutcome.NOTHING_BREAKS, Weakness.NUMBER_FENCE,
					MendingOutcome.NO_WRITE_LOST));
	}

	@Test
	void whoDeletesWithoutComparingIsSeenToDeleteTheKeyOfAnother() {
		Counterexample found = search(Mistake.DELETES_ANY_KEY.design(), SCHEDULES).orElseThrow();
		assertThat(AcquisitionReader.of(found.record()))
			.flatExtracting((one) -> one.released().stream().map(Exchange::says).toList())
			.contains("other", "yes");
		Counterexample other = search(Mistake.TOO_SMALL_A_QUORUM.design(), SCHEDULES).orElseThrow();
		assertThat(AcquisitionReader.of(other.record()))
			.flatExtracting((one) -> one.released().stream().map(Exchange::says).toList())
			.contains("yes")
			.doesNotContain("other");
	}

	@Test
	void answersThatALockIgnoresAndWhatTheStoreComparedAreShownAsTheyWere() {
		List<ScheduledFault> pauses = IntStream.range(0, 3)
			.mapToObj((client) -> new ScheduledFault(ScheduledFault.Kind.PAUSE_BEFORE_RETURN, client, 1, 0, 1_200))
			.toList();
		RoundRecord round = DesignRound.play(Mistake.RENEWS_BLINDLY.design(), 1, pauses);
		assertThat(AcquisitionReader.of(round)).filteredOn((one) -> one.outcome().equals("acquired"))
			.flatExtracting((one) -> one.asked().stream().flatMap((node) -> node.questions().stream().skip(1)).toList())
			.extracting("says")
			.contains("yes", "no")
			.doesNotContain("late");
		assertThat(round.events()).filteredOn((event) -> event.is(HistoryEvent.Kind.RETURN, "write"))
			.isNotEmpty()
			.allSatisfy((event) -> assertThat(event.detail("fence")).isEqualTo("owner"));
	}

	static Stream<RedlockDesign> sound() {
		return Stream.of(RedlockDesign.retwis(3), RedlockDesign.retwis(5), new RedlockDesign(5, 3, Order.ALL_AT_ONCE,
				Vote.FIRST_ANSWER, true, true, Clock.STEADY, Release.OWN_KEY, FenceChoice.OWNER));
	}

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@MethodSource("sound")
	void aSoundDesignHasNone(RedlockDesign design) {
		assertThat(search(design, SCHEDULES / 2)).isEmpty();
	}

	@Test
	void aStoppedSearchEndsWithoutAResult() {
		assertThat(new CounterexampleSearch(RedlockDesign.retwis(3), SCHEDULES, () -> true).run(0)).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void theStepsOfARoundSayWhatItsDesignCountsAndSubtracts(Vote vote) {
		for (boolean drift : new boolean[] { true, false }) {
			RedlockDesign design = new RedlockDesign(3, 2, Order.ONE_BY_ONE, vote, true, drift, Clock.STEADY,
					Release.OWN_KEY, FenceChoice.OWNER);
			assertThat(AcquisitionReader.of(DesignRound.play(design, 1, List.of())))
				.filteredOn((one) -> one.outcome().equals("acquired"))
				.isNotEmpty()
				.allSatisfy((one) -> {
					assertThat(one.heedsSecond()).isEqualTo(vote == Vote.SECOND_LOOK);
					assertThat(one.drift() > 0).isEqualTo(drift);
					assertThat(one.elapsed()).isBetween(0L, one.until() - one.from());
					assertThat(one.majority()).isBetween(one.from(), one.until());
				});
		}
	}

	@Test
	void theSameScheduleHasTheSameRecord() {
		List<ScheduledFault> faults = List.of(new ScheduledFault(ScheduledFault.Kind.PAUSE, 0, 1, 5, 1_200),
				new ScheduledFault(ScheduledFault.Kind.SLOW_ANSWERS, 1, 2, 0, 300));
		assertThat(DesignRound.play(RedlockDesign.retwis(5), 7, faults))
			.isEqualTo(DesignRound.play(RedlockDesign.retwis(5), 7, faults));
	}

}
