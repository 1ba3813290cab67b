package live.retwis.fanout;

/**
 * Hears that a fail-over of the data node has lost lists which fan-out had written, while
 * the log that they are made from was kept. Fan-out writes them again.
 */
public interface FanOutLossListener {

	/** Forgets what was read from such lists. */
	void fanOutWasLost();

}
