package live.retwis.locks.lab.play;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What people do to a node by hand, while clients contend for a lock.
 *
 * @param kind what
 * @param node its number, from 1
 */
public record ManualAction(Kind kind, int node) {

	/** What can be done. */
	public enum Kind {

		/** SIGKILL; the node comes back with its data. */
		KILL,

		/** SIGKILL, and its files are lost: it comes back empty. */
		KILL_AND_FORGET,

		/** A node that was killed is started now. */
		RESTART,

		/** SIGSTOP. */
		PAUSE,

		/** SIGCONT now. */
		RESUME,

		/** What is sent to it is late by a tenth of a lease. */
		DELAY,

		/** Nothing passes between it and the clients. */
		CUT,

		/** Its clock jumps ahead by a lease. */
		CLOCK,

		/** FLUSHALL. */
		FLUSH,

		/**
		 * It is killed, and Sentinel puts a replica in its place that has heard of no
		 * lock since some moments ago. Everything else waits meanwhile, some five
		 * seconds.
		 */
		PROMOTE;

		/** The name in forms. */
		public String label() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

	}

	/**
	 * Reads it.
	 * @param kind a {@linkplain Kind#label() label}
	 * @param node its number, from 1
	 * @throws IllegalArgumentException that says what there is
	 */
	public static ManualAction parse(String kind, int node) {
		return Arrays.stream(Kind.values())
			.filter((one) -> one.label().equals(kind))
			.map((one) -> new ManualAction(one, node))
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
