package live.retwis.locks.lab.play;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Something that people do to a client by hand, or tell it to do.
 *
 * @param kind what they do
 * @param client its name
 * @param kept whether it stays paused or dead until it is told to go on
 */
public record ClientAction(Kind kind, String client, boolean kept) implements FreePlayAction {

	/** What can be done. */
	public enum Kind {

		/** Pauses its process (SIGSTOP). */
		PAUSE,

		/** Lets its process go on now (SIGCONT). */
		RESUME,

		/** Kills its process (SIGKILL). */
		KILL,

		/**
		 * Starts a new process in the place of one that was killed. It knows nothing of
		 * what the former one did. Everything else waits meanwhile, for some seconds.
		 */
		RESTART,

		/** The client tries for the lock once. With the lock it reads the counter. */
		ACQUIRE,

		/** The client writes the counter that it read, plus one, and reads it again. */
		WRITE,

		/** The client gives the lock back. */
		RELEASE;

		/** The name in forms. */
		public String label() {
			return name().toLowerCase(Locale.ROOT);
		}

		/** Whether it is an order to a client that does nothing by itself. */
		public boolean isOrder() {
			return compareTo(ACQUIRE) >= 0;
		}

	}

	/**
	 * Reads an action.
	 * @param kind a {@linkplain Kind#label() label}
	 * @param client one of {@link FreePlay#CLIENTS}
	 * @param kept whether it lasts until it is undone
	 * @throws IllegalArgumentException says which labels or clients there are
	 */
	public static ClientAction parse(String kind, String client, boolean kept) {
		if (!FreePlay.CLIENTS.contains(client)) {
			throw new IllegalArgumentException("There is no client '" + client + "'; there are " + FreePlay.CLIENTS);
		}
		return Arrays.stream(Kind.values())
			.filter((one) -> one.label().equals(kind))
			.map((one) -> new ClientAction(one, client, kept))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("There is no action '" + kind + "'; there are "
					+ Arrays.stream(Kind.values()).map(Kind::label).collect(Collectors.joining(", "))));
	}

	/** What is done, for people. */
	@Override
	public String toString() {
		return this.kind.label() + " " + this.client;
	}

}
