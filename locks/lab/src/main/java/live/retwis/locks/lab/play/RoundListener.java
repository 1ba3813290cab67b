package live.retwis.locks.lab.play;

import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.RoundRecord;

/**
 * Is told of rounds while they are played, from several threads; must not block.
 */
public interface RoundListener {

	/**
	 * A round begins, or begins anew because more clients take part: what was told of it
	 * before is void.
	 * @param round without events
	 */
	default void began(RoundRecord round) {
	}

	/** Something was added to the history of the round under way. */
	default void happened(HistoryEvent event) {
	}

	/** What there is by now of a round that takes long. */
	default void soFar(RoundRecord round) {
	}

}
