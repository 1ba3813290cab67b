package live.retwis.fanout;

/**
 * Hears when a fail-over of the data node has lost lists that fan-out had written, while
 * the log was kept. Fan-out writes those lists again.
 */
public interface FanOutLossListener {

	/** Discards everything that was read from such lists. */
	void fanOutWasLost();

}
