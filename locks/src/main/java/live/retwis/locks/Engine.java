package live.retwis.locks;

/**
 * How the nodes are asked. What a lock guarantees is the same.
 */
public enum Engine {

	/**
	 * Redisson's RedissonRedLock, node after node. Takes one trip to each node and one to
	 * all; a node that does not answer costs the node time-out.
	 */
	REDISSON,

	/**
	 * All nodes at once, as in the description of Redlock. Answers when a majority is
	 * certain, so that a slow minority costs nothing.
	 */
	PARALLEL

}
