package live.retwis.locks.lab.node;

import org.junit.jupiter.api.Assumptions;

/**
 * Tests of clocks that can be set.
 */
public final class TestClocks {

	private TestClocks() {
	}

	/** Skips the test if there is no C compiler, unless {@code -Dretwis.cc=required}. */
	public static void assumePossible() {
		Assumptions.assumeTrue("required".equals(System.getProperty("retwis.cc")) || SettableNodeClock.isPossible(),
				"no C compiler is installed");
	}

}
