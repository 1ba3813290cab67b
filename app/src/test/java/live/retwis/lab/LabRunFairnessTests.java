package live.retwis.lab;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LabRunFairnessTests {

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1);

	private final LabRunFairness turns = new LabRunFairness(this.clock::get);

	@Test
	void whileNobodyWaitsAUserBeginsAsManyRunsAsLiked() {
		assertThat(this.turns.isOthersTurn("ann")).isFalse();
		this.turns.begin("ann");
		this.turns.refuse("ann");
		assertThat(this.turns.isOthersTurn("ann")).isFalse();
	}

	@Test
	void whileAnotherUserWaitsTheLatestOneWaitsFiveMinutes() {
		this.turns.begin("ann");
		this.turns.refuse("bob");
		assertThat(this.turns.isOthersTurn("ann")).isTrue();
		assertThat(this.turns.isOthersTurn("bob")).isFalse();
		this.clock.addAndGet(Duration.ofMinutes(5).toNanos() - 1);
		assertThat(this.turns.isOthersTurn("ann")).isTrue();
		this.clock.incrementAndGet();
		assertThat(this.turns.isOthersTurn("ann")).isFalse();
	}

	@Test
	void whoeverWaitsIsNotPassedByTwoUsersWhoTakeTurns() {
		this.turns.begin("ann");
		this.turns.refuse("cid");
		this.turns.begin("bob");
		assertThat(this.turns.isOthersTurn("ann")).isTrue();
		assertThat(this.turns.isOthersTurn("bob")).isTrue();
		assertThat(this.turns.isOthersTurn("cid")).isFalse();
		this.turns.begin("cid");
		assertThat(this.turns.isOthersTurn("ann")).isFalse();
	}

	@Test
	void twoUsersWhoBothWaitDoNotWaitForEachOther() {
		this.turns.begin("ann");
		this.turns.refuse("bob");
		this.turns.refuse("ann");
		this.turns.begin("bob");
		this.turns.refuse("bob");
		assertThat(this.turns.isOthersTurn("ann")).isFalse();
		assertThat(this.turns.isOthersTurn("bob")).isTrue();
	}

	@Test
	void whoWantedARunLongAgoDoesNotWaitAnyMore() {
		this.turns.refuse("bob");
		this.clock.addAndGet(Duration.ofMinutes(5).toNanos());
		this.turns.begin("ann");
		assertThat(this.turns.isOthersTurn("ann")).isFalse();
	}

	@Test
	void whoWaitedHasHadATurnOnceARunHasBegun() {
		this.turns.begin("ann");
		this.turns.refuse("bob");
		this.turns.begin("bob");
		assertThat(this.turns.isOthersTurn("bob")).isFalse();
		this.turns.refuse("ann");
		assertThat(this.turns.isOthersTurn("bob")).isTrue();
		assertThat(this.turns.isOthersTurn("ann")).isFalse();
	}

}
