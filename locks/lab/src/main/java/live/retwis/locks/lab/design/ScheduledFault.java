package live.retwis.locks.lab.design;

import java.util.Random;

/**
 * A fault in a schedule. All of them are faults that Redlock is made for.
 *
 * @param kind what goes wrong
 * @param client number of the client that it strikes, from 0
 * @param node number of the node that it strikes, from 1
 * @param at when it begins, in ms since the schedule began
 * @param millis how long it lasts, or by how much it delays or sets back
 */
public record ScheduledFault(Kind kind, int client, int node, int at, int millis) {

	/** Latest beginning, in ms. All clients have had the lock by then. */
	private static final int LATEST = 1_500;

	/** More than a lease, in ms. */
	private static final int LONGEST = 1_600;

	/** What goes wrong. */
	public enum Kind {

		/** Commands of the client to the node arrive later. */
		SLOW_COMMANDS,

		/** Answers of the node to the client arrive later. */
		SLOW_ANSWERS,

		/** Commands of the client to the node are lost. */
		LOST_COMMANDS,

		/** The client's process stands still. */
		PAUSE,

		/** The client's process stands still when the nodes have said yes. */
		PAUSE_BEFORE_RETURN,

		/** The client's process stands still between its last check and its write. */
		PAUSE_BEFORE_WRITE,

		/** The node crashes, and comes back with its keys. */
		CRASH,

		/** The client's time of day is set back. */
		CLOCK_SET_BACK,

		/** The clocks of all nodes but one run 0.9 % faster than those of the clients. */
		FAST_CLOCKS

	}

	/** The name of the client in histories. */
	public String clientName() {
		return DesignRound.name(this.client);
	}

	static ScheduledFault any(Random random, int clients, int nodes) {
		Kind[] kinds = Kind.values();
		return new ScheduledFault(kinds[random.nextInt(kinds.length)], random.nextInt(clients),
				1 + random.nextInt(nodes), random.nextInt(LATEST), 1 + random.nextInt(LONGEST));
	}

}
