package live.retwis.locks.lab;

import live.retwis.locks.lab.play.RoundListener;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.locks.lab.report.SkippedScenario;

/**
 * Is told of a run while it goes on. It is called by several threads, and must not block.
 */
public interface LabListener extends RoundListener {

	/** A server or a client of the run works now, for the first time or again. */
	default void started(long pid) {
	}

	/**
	 * A round is over; it has all its events and the verdict. For a round that takes long
	 * this is also called about once a second, with what was found so far.
	 */
	default void judged(JudgedRound round) {
	}

	/** A scenario is not played with an engine. */
	default void skipped(SkippedScenario scenario) {
	}

}
