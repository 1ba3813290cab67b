package live.retwis.locks.lab.client;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import live.retwis.locks.lab.engine.LabLocks;
import live.retwis.locks.lab.engine.ProtectedStore;
import live.retwis.locks.lab.history.History;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A client in this program, with a thread of its own.
 */
final class LocalClientHandle implements ClientHandle {

	private final LabLocks locks;

	private final HistoryRecordingClient user;

	private final ExecutorService thread;

	/** The operation that is under way. Only the client's thread uses it. */
	private @Nullable Target target;

	LocalClientHandle(String name, LabLocks locks, ProtectedStore store) {
		this.locks = locks;
		this.user = new HistoryRecordingClient(name, locks, store, this::note);
		this.thread = Executors.newSingleThreadExecutor((task) -> {
			Thread thread = new Thread(task, "lab-client-" + name);
			thread.setDaemon(true);
			return thread;
		});
	}

	private record Target(History history, SubmittedOperation call) {
	}

	private void note(HistoryEvent event) {
		Target now = this.target;
		if (now != null) {
			now.history().add(event);
			if (event.kind() == Kind.RETURN) {
				now.call().ended(event);
			}
		}
	}

	@Override
	public SubmittedOperation submit(OperationRequest work, History history) {
		SubmittedOperation call = new SubmittedOperation();
		this.thread.execute(() -> {
			this.target = new Target(history, call);
			this.user.run(work);
		});
		return call;
	}

	@Override
	public boolean reaches(int node) {
		return this.locks.reaches(node);
	}

	@Override
	public void close() {
		this.thread.shutdownNow();
		this.locks.close();
	}

}
