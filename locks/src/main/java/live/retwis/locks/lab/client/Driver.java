package live.retwis.locks.lab.client;

import live.retwis.locks.lab.history.History;

/**
 * Where a client lives.
 */
interface Driver extends AutoCloseable {

	/** Does that after what it was told before. */
	Call submit(Work work, History history);

	/** Whether it can speak to a node now. */
	boolean reaches(int node);

	@Override
	void close();

}
