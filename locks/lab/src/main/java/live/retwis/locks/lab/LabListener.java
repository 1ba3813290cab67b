package live.retwis.locks.lab;

import live.retwis.locks.lab.play.RoundListener;
import live.retwis.locks.lab.report.JudgedRound;

/**
 * Is told of a run while it goes on, from several threads; must not block.
 */
public interface LabListener extends RoundListener {

	/**
	 * A round is over, with all its events and the verdict. Of a round that takes long
	 * also what was found so far, about once a second.
	 */
	default void judged(JudgedRound round) {
	}

	/** Something is not played; the line says why. */
	default void skipped(String line) {
	}

}
