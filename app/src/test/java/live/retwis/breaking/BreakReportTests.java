package live.retwis.breaking;

import java.util.List;
import java.util.Objects;

import live.retwis.cluster.ClusterFaultKind;
import live.retwis.cluster.ClusterFaultRecord;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BreakReportTests {

	/** The page's clock is 500 ms ahead. It began to count at 1,000 of this machine. */
	private static final PageStreamReport LEDGER = new PageStreamReport("/live/public", 10_500, 1_500, 0, 0, 0, 0, 0,
			List.of(), List.of());

	private static ClusterFaultRecord healed(long at) {
		return new ClusterFaultRecord(1, ClusterFaultKind.KILL_LOCK_NODE, "lock-1", "ann", 100, 200, at, List.of());
	}

	@Test
	void itDoesNotTellOfABreakageThatWasHealedBeforeThePageWasOpened() {
		assertThat(BreakReport.of("id", 10_000, LEDGER, healed(999)).breakage()).isNull();
		assertThat(BreakReport.of("id", 10_000, LEDGER, healed(1_000)).breakage()).isNotNull();
		assertThat(BreakReport.of("id", 10_000, LEDGER, healed(0)).breakage()).as("not healed yet").isNotNull();
		assertThat(BreakReport.of("id", 10_000, LEDGER, null).breakage()).isNull();
	}

	@Test
	void itHasNoNamesOfUsers() {
		ClusterFaultRecord told = Objects
			.requireNonNull(BreakReport.of("id", 10_000, LEDGER, healed(5_000)).breakage());
		assertThat(told.by()).isEmpty();
	}

}
