package live.retwis.locks.lab.client;

import live.retwis.locks.lab.history.History;

/**
 * Where a client lives.
 */
interface ClientHandle extends AutoCloseable {

	/** Does that after what it was told before. */
	PendingOperation submit(OperationRequest work, History history);

	/** Whether it can speak to a node now. */
	boolean reaches(int node);

	@Override
	void close();

}
