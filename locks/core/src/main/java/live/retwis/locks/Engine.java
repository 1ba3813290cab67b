package live.retwis.locks;

/**
 * How the nodes are asked. The guarantees of a lock are the same with each engine.
 */
public enum Engine {

	/**
	 * Uses Redisson's RedissonRedLock. It asks node after node until a majority has the
	 * key, then all other nodes at once. This takes one trip to each node of that
	 * majority and one trip to all of them. A node that does not answer before the
	 * majority is complete costs the node time-out.
	 */
	REDISSON,

	/**
	 * Asks all nodes at once, as the description of Redlock says. Answers when a majority
	 * is certain, so that a slow minority costs nothing.
	 */
	PARALLEL

}
