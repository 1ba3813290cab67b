package live.retwis.locks;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static live.retwis.locks.NodeOutcome.ACQUIRED;
import static live.retwis.locks.NodeOutcome.ERROR;
import static live.retwis.locks.NodeOutcome.REFUSED;
import static live.retwis.locks.NodeOutcome.TAKEN;
import static live.retwis.locks.NodeOutcome.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;

class TallyTests {

	/**
	 * The number of answers of five nodes after which the result is certain; 0 if it
	 * never is.
	 */
	private static int decidedAfter(Predicate<Tally> enough, NodeOutcome... outcomes) {
		List<CompletableFuture<NodeOutcome>> answers = Stream.generate(() -> new CompletableFuture<NodeOutcome>())
			.limit(5)
			.toList();
		CompletableFuture<Tally> tally = Tally.count(5, answers, enough);
		for (int index = 0; index < outcomes.length; index++) {
			answers.get(index).complete(outcomes[index]);
			if (tally.isDone()) {
				return index + 1;
			}
		}
		return 0;
	}

	@Test
	void aVoteIsDecidedOnlyByAMajority() {
		Predicate<Tally> vote = Tally::decidesVote;
		assertThat(decidedAfter(vote, ACQUIRED, ACQUIRED)).isZero();
		assertThat(decidedAfter(vote, ACQUIRED, ACQUIRED, ACQUIRED)).isEqualTo(3);
		assertThat(decidedAfter(vote, ACQUIRED, TIMEOUT, ACQUIRED, ERROR, ACQUIRED)).isEqualTo(5);
	}

	@Test
	void aLostVoteIsDecidedWhenItIsCertainWhetherAMajorityAnswers() {
		Predicate<Tally> vote = Tally::decidesVote;
		assertThat(decidedAfter(vote, TAKEN, TAKEN, TAKEN)).isEqualTo(3);
		assertThat(decidedAfter(vote, REFUSED, REFUSED, REFUSED)).isEqualTo(3);
		assertThat(decidedAfter(vote, REFUSED, REFUSED, TAKEN)).isZero();
		assertThat(decidedAfter(vote, REFUSED, REFUSED, TAKEN, TIMEOUT)).isEqualTo(4);
		assertThat(decidedAfter(vote, REFUSED, REFUSED, TAKEN, TAKEN, ACQUIRED)).isEqualTo(5);
		assertThat(decidedAfter(vote, ACQUIRED, ACQUIRED, TAKEN, TAKEN, TAKEN)).isEqualTo(5);
	}

	@Test
	void anExtensionIsDecidedByAMajorityForOrAgainstItOrWhenNoneIsPossible() {
		Predicate<Tally> extension = Tally::decidesExtension;
		assertThat(decidedAfter(extension, ACQUIRED, ACQUIRED, ACQUIRED)).isEqualTo(3);
		assertThat(decidedAfter(extension, TAKEN, TAKEN, TAKEN)).isEqualTo(3);
		assertThat(decidedAfter(extension, ACQUIRED, TIMEOUT, TAKEN, TIMEOUT)).isEqualTo(4);
		assertThat(decidedAfter(extension, TAKEN, TAKEN, TIMEOUT, TIMEOUT)).isZero();
	}

	@Test
	void aReleaseNeedsAnyAnswersOfAMajority() {
		Predicate<Tally> release = Tally::decidesAnswers;
		assertThat(decidedAfter(release, ACQUIRED, TAKEN)).isZero();
		assertThat(decidedAfter(release, ACQUIRED, TAKEN, ACQUIRED)).isEqualTo(3);
		assertThat(decidedAfter(release, TIMEOUT, TIMEOUT, TIMEOUT)).isEqualTo(3);
		assertThat(decidedAfter(release, TIMEOUT, TIMEOUT, ACQUIRED, ACQUIRED, ACQUIRED)).isEqualTo(5);
	}

	@Test
	void nodesThatWillNotAnswerCountAsSilent() {
		CompletableFuture<NodeOutcome> answer = new CompletableFuture<>();
		CompletableFuture<Tally> tally = Tally.count(3, List.of(answer, answer), Tally::decidesVote);
		answer.complete(ACQUIRED);
		assertThat(tally).isCompletedWithValue(new Tally(3, 2, 0, 1));
	}

	@Test
	void aResultThatIsCertainAtTheStartIsNotWaitedFor() {
		assertThat(Tally.count(0, List.of(), Tally::decidesAnswers)).isCompleted();
		assertThat(Tally.count(3, List.of(new CompletableFuture<>()), Tally::decidesVote)).isCompleted();
	}

}
