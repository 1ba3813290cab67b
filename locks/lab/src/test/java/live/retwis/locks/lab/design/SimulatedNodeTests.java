package live.retwis.locks.lab.design;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SimulatedNodeTests {

	private static final long LEASE = 1_000 * DesignScheduler.MILLI;

	private final SimulatedNode node = new SimulatedNode(new DesignScheduler());

	@Test
	void aNodeSaysHowLongItsKeyIsStillThere() {
		assertThat(this.node.holding()).isEqualTo("free");
		this.node.take("A1", LEASE);
		assertThat(this.node.holding()).isEqualTo("A1 for 1000 ms");
	}

	/**
	 * Otherwise a replay would show the end of a key after another client has taken it.
	 */
	@Test
	void aKeyOnAFastClockEndsEarlierThanItsLease() {
		this.node.hasten(DesignWorld.FAST_MILLIONTHS);
		this.node.take("A1", LEASE);
		assertThat(this.node.holding()).isEqualTo("A1 for 991 ms");
	}

}
