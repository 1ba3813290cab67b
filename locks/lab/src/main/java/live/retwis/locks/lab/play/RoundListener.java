package live.retwis.locks.lab.play;

import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.RoundRecord;

/**
 * Is told of rounds while they are played. It is called by several threads, and must not
 * block.
 */
public interface RoundListener {

	/**
	 * A round begins. It may begin anew because more clients take part. What was told of
	 * it before is void then.
	 * @param round without events
	 */
	default void began(RoundRecord round) {
	}

	/** An entry was added to the history of the round under way. */
	default void happened(HistoryEvent event) {
	}

	/** What there is so far of a round that takes long. */
	default void soFar(RoundRecord round) {
	}

}
