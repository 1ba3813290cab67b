package live.retwis.locks;

/**
 * What is known about a node now.
 *
 * @param name {@code host:port}, never the password
 * @param health whether it can vote
 * @param reason why it cannot; empty when it is up
 */
public record NodeState(String name, Health health, String reason) {

	/** Whether a node can vote. */
	public enum Health {

		/** It answers and keeps the rules. */
		UP,

		/** It does not answer, or not yet. Tried again until it does. */
		NOT_REACHED,

		/**
		 * It answers but must not vote: a replica, evicting keys, or a server that is in
		 * the set under another name. Looked at again until it keeps the rules.
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
