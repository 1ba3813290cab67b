package live.retwis.locks.lab.client;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import live.retwis.locks.lab.engine.LabLocks;
import live.retwis.locks.lab.engine.LockGrant;
import live.retwis.locks.lab.engine.NotGrantedException;
import live.retwis.locks.lab.engine.ProtectedStore;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import org.jspecify.annotations.Nullable;

/**
 * One user of a lock, in whatever process. It does what it is told. It notes each
 * operation before the operation begins and after it has ended. One thread at a time may
 * call it.
 */
final class HistoryRecordingClient {

	private final String name;

	private final LabLocks locks;

	private final ProtectedStore store;

	private final Consumer<HistoryEvent> notes;

	private @Nullable LockGrant grant;

	private long read;

	HistoryRecordingClient(String name, LabLocks locks, ProtectedStore store, Consumer<HistoryEvent> notes) {
		this.name = name;
		this.locks = locks;
		this.store = store;
		this.notes = notes;
	}

	/** Does an operation. Never fails: an error is the outcome of the operation. */
	void run(OperationRequest work) {
		Map<String, String> about = new HashMap<>();
		LockGrant held = this.grant;
		if (work.order() != Operation.ACQUIRE && held != null) {
			about.put("owner", held.owner());
		}
		if (work.order() == Operation.WRITE) {
			about.put("value", String.valueOf(this.read + 1));
			if (held != null) {
				about.put("fence", held.guard().toString());
			}
		}
		if (work.order() == Operation.ACQUIRE) {
			putNames(about);
		}
		note(Kind.INVOKE, work, about);
		about.put("outcome", outcome(work, about));
		note(Kind.RETURN, work, about);
	}

	private void putNames(Map<String, String> about) {
		List<String> names = this.locks.names();
		if (!names.isEmpty()) {
			about.put(HistoryEvent.KNOWN_AS, String.join(", ", names));
		}
	}

	private String outcome(OperationRequest work, Map<String, String> about) {
		try {
			return (work.order() == Operation.ACQUIRE) ? acquire(work, about) : use(work, about);
		}
		catch (NotGrantedException ex) {
			about.put("why", String.valueOf(ex.getMessage()));
			return ex.outcome();
		}
		catch (RuntimeException ex) {
			about.put("why", String.valueOf(ex));
			return "error";
		}
	}

	private String acquire(OperationRequest work, Map<String, String> about) throws NotGrantedException {
		this.grant = null;
		LockGrant granted = this.locks.tryLock(work.resource(), work.lease());
		this.grant = granted;
		about.put("owner", granted.owner());
		about.putAll(granted.votes());
		putEnd(granted, about);
		if (granted.guard().token() > 0) {
			about.put("token", String.valueOf(granted.guard().token()));
		}
		return "acquired";
	}

	private static void putEnd(LockGrant granted, Map<String, String> about) {
		granted.validUntil().ifPresent((until) -> about.put(HistoryEvent.UNTIL, String.valueOf(until)));
	}

	private String use(OperationRequest work, Map<String, String> about) {
		LockGrant held = this.grant;
		if (held == null) {
			throw new IllegalStateException(this.name + " was granted no lock");
		}
		switch (work.order()) {
			case READ -> {
				this.read = this.store.read(work.resource());
				about.put("value", String.valueOf(this.read));
				return "done";
			}
			case WRITE -> {
				return this.store.write(work.resource(), held, this.read + 1) ? "written" : "refused";
			}
			case EXTEND -> {
				String outcome = held.extend();
				putEnd(held, about);
				return outcome;
			}
			default -> {
				held.release();
				return "done";
			}
		}
	}

	private void note(Kind kind, OperationRequest work, Map<String, String> about) {
		this.notes.accept(
				new HistoryEvent(System.nanoTime(), kind, this.name, work.order().label(), work.operation(), about));
	}

}
