package live.retwis.locks;

/**
 * What came of asking one node.
 */
public enum NodeOutcome {

	/** The node holds the key for this owner. */
	ACQUIRED,

	/**
	 * The node answered that it does not hold the key for this owner. Another owner has
	 * the key, or nobody.
	 */
	TAKEN,

	/** No answer within the node time-out. The command may still take effect. */
	TIMEOUT,

	/** The node was not reached, is known to be down, or has too much to do. */
	REFUSED,

	/** The node answered with an error. */
	ERROR,

	/** The node was not asked, because the result was known without it. */
	NOT_ASKED;

	/** Whether the node itself said yes or no. */
	boolean isAnswer() {
		return this == ACQUIRED || this == TAKEN;
	}

}
