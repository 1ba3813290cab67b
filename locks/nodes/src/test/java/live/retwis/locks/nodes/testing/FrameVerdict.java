package live.retwis.locks.nodes.testing;

/**
 * What becomes of a frame.
 *
 * @param verdict whether it goes on
 * @param frame as it goes on
 */
record FrameVerdict(Verdict verdict, RespFrame frame) {

	/** What happened to a frame. */
	enum Verdict {

		/** It goes on. */
		OPEN,

		/** It is gone, and so is all that comes after it on its connection. */
		LOST,

		/** Its connection breaks. */
		CUT

	}

}
