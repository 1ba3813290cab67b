package live.retwis.locks.lab.play;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Something that people do to a node by hand during free play, while clients contend for
 * a lock.
 *
 * @param kind what they do
 * @param node its number, from 1
 * @param kept whether it lasts until it is mended, and does not heal by itself
 */
public record NodeAction(Kind kind, int node, boolean kept) implements FreePlayAction {

	/** What can be done. */
	public enum Kind {

		/** Kills it (SIGKILL). The node comes back with its data. */
		KILL,

		/** Kills it (SIGKILL) and removes its files. The node comes back empty. */
		KILL_AND_FORGET,

		/** Starts a node that was killed, now. */
		RESTART,

		/** Pauses it (SIGSTOP). */
		PAUSE,

		/** Lets it go on now (SIGCONT). */
		RESUME,

		/** Undoes everything that people have done to it. */
		MEND,
		/** Delays what is sent to it, by a tenth of a lease. */
		DELAY,

		/** Lets nothing pass between it and the clients. */
		CUT,

		/** Sets its clock ahead by a lease. */
		CLOCK,

		/** Empties it (FLUSHALL). */
		FLUSH,

		/**
		 * Kills it, and Sentinel puts a replica in its place. The replica has not heard
		 * of any lock for some moments. Everything else waits meanwhile, for some five
		 * seconds.
		 */
		PROMOTE;

		/** The name in forms. */
		public String label() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

	}

	/**
	 * Reads an action.
	 * @param kind a {@linkplain Kind#label() label}
	 * @param node its number, from 1
	 * @param kept whether it lasts until it is mended
	 * @throws IllegalArgumentException says which labels there are
	 */
	public static NodeAction parse(String kind, int node, boolean kept) {
		return Arrays.stream(Kind.values())
			.filter((one) -> one.label().equals(kind))
			.map((one) -> new NodeAction(one, node, kept))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("There is no action '" + kind + "'; there are "
					+ Arrays.stream(Kind.values()).map(Kind::label).collect(Collectors.joining(", "))));
	}

	/** What is done, for people. */
	@Override
	public String toString() {
		return this.kind.label() + " node " + this.node;
	}

}
