package live.retwis.locks.nodes.testing;

/**
 * What happens to a frame.
 *
 * @param verdict whether the frame passes
 * @param frame the frame as it passes
 */
record FrameVerdict(Verdict verdict, RespFrame frame) {

	/** The possible results. */
	enum Verdict {

		/** The frame passes. */
		OPEN,

		/** The frame is lost, and so are all later ones of its connection. */
		LOST,

		/** The connection breaks. */
		CUT

	}

}
