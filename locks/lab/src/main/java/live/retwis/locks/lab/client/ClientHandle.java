package live.retwis.locks.lab.client;

import live.retwis.locks.lab.history.History;

/**
 * The place where a client runs: this program, or a process of its own.
 */
interface ClientHandle extends AutoCloseable {

	/** Has the client do something, after everything that it was told before. */
	SubmittedOperation submit(OperationRequest work, History history);

	/** Whether the client can speak to a node now. */
	boolean reaches(int node);

	@Override
	void close();

}
