package live.retwis.locks;

/**
 * What is known about a node now.
 *
 * @param name {@code host:port}, never the password
 * @param health whether the node can vote
 * @param reason why the node cannot vote; empty when it is up
 */
public record NodeState(String name, Health health, String reason) {

	/** Whether a node can vote. */
	public enum Health {

		/** The node answers and keeps the rules. */
		UP,

		/**
		 * The node does not answer, not yet, or refuses a command that votes need. It is
		 * tried again until it does not.
		 */
		NOT_REACHED,

		/**
		 * The node answers but must not vote: it is a replica, it evicts keys, or it is
		 * in the set under another name too. It is examined again until it keeps the
		 * rules.
		 */
		WRONG

	}

	boolean isUp() {
		return this.health == Health.UP;
	}

	boolean isWrong() {
		return this.health == Health.WRONG;
	}

	static NodeState up(String name) {
		return new NodeState(name, Health.UP, "");
	}

	static NodeState notReached(String name, String reason) {
		return new NodeState(name, Health.NOT_REACHED, reason);
	}

	static NodeState wrong(String name, String reason) {
		return new NodeState(name, Health.WRONG, reason);
	}

}
