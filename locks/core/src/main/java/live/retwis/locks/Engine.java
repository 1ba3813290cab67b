package live.retwis.locks;

/**
 * How the nodes are asked. What a lock guarantees is the same.
 */
public enum Engine {

	/**
	 * Redisson's RedissonRedLock, node after node until a majority has the key, then all
	 * others at once. Takes one trip to each node of that majority and one to all of
	 * them; a node that does not answer before that costs the node time-out.
	 */
	REDISSON,

	/**
	 * All nodes at once, as in the description of Redlock. Answers when a majority is
	 * certain, so that a slow minority costs nothing.
	 */
	PARALLEL

}
