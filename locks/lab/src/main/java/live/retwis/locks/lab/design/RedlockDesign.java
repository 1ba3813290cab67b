package live.retwis.locks.lab.design;

import live.retwis.locks.lab.engine.WriteCondition;

/**
 * A lock on several nodes, by the choices that make it.
 *
 * @param nodes number of nodes
 * @param quorum how many nodes must say yes, from 1 to all
 * @param order how the nodes are asked
 * @param vote what counts as a yes
 * @param checksValidity whether the time that the acquisition took is subtracted from the
 * lease, and nothing is relied on after the rest
 * @param allowsForDrift whether 1 % of the lease and 2 ms are subtracted too, because
 * clocks run at different speeds
 * @param clock which clock of its machine a client reads
 * @param release which keys a client deletes
 * @param fence what the protected store compares before it writes
 */
public record RedlockDesign(int nodes, int quorum, Order order, Vote vote, boolean checksValidity,
		boolean allowsForDrift, Clock clock, Release release, FenceChoice fence) {

	/** Fewest nodes of a design. */
	public static final int FEWEST = 3;

	/** Most nodes of a design. */
	public static final int MOST = 5;

	/**
	 * Checks the numbers.
	 * @throws IllegalArgumentException when there are too few or too many nodes, or when
	 * the quorum is not one of them
	 */
	public RedlockDesign {
		if (nodes < FEWEST || nodes > MOST || quorum < 1 || quorum > nodes) {
			throw new IllegalArgumentException("A design has 3 to 5 nodes, and a quorum of 1 to all of them");
		}
	}

	/** The design of this project's lock. */
	public static RedlockDesign retwis(int nodes) {
		return new RedlockDesign(nodes, nodes / 2 + 1, Order.ONE_BY_ONE, Vote.SECOND_LOOK, true, true, Clock.STEADY,
				Release.OWN_KEY, FenceChoice.OWNER);
	}

	/** The same, with as many nodes that must say yes. */
	RedlockDesign withQuorum(int needed) {
		return new RedlockDesign(this.nodes, needed, this.order, this.vote, this.checksValidity, this.allowsForDrift,
				this.clock, this.release, this.fence);
	}

	/** The same, with another vote. */
	RedlockDesign withVote(Vote counted) {
		return new RedlockDesign(this.nodes, this.quorum, this.order, counted, this.checksValidity, this.allowsForDrift,
				this.clock, this.release, this.fence);
	}

	/** The same, with or without a check of what is left of the lease. */
	RedlockDesign withValidityCheck(boolean checks) {
		return new RedlockDesign(this.nodes, this.quorum, this.order, this.vote, checks, this.allowsForDrift,
				this.clock, this.release, this.fence);
	}

	/** The same, with or without a part of the lease for clocks that differ. */
	RedlockDesign withDriftAllowance(boolean allows) {
		return new RedlockDesign(this.nodes, this.quorum, this.order, this.vote, this.checksValidity, allows,
				this.clock, this.release, this.fence);
	}

	/** The same, with another clock. */
	RedlockDesign withClock(Clock read) {
		return new RedlockDesign(this.nodes, this.quorum, this.order, this.vote, this.checksValidity,
				this.allowsForDrift, read, this.release, this.fence);
	}

	/** The same, with another way to give back. */
	RedlockDesign withRelease(Release deleted) {
		return new RedlockDesign(this.nodes, this.quorum, this.order, this.vote, this.checksValidity,
				this.allowsForDrift, this.clock, deleted, this.fence);
	}

	/** The same, with another check in the store. */
	RedlockDesign withFence(FenceChoice compared) {
		return new RedlockDesign(this.nodes, this.quorum, this.order, this.vote, this.checksValidity,
				this.allowsForDrift, this.clock, this.release, compared);
	}

	/** How the nodes are asked. */
	public enum Order {

		/** Each node when the one before it has answered, or has not answered in time. */
		ONE_BY_ONE,

		/** All nodes at the same moment. */
		ALL_AT_ONCE

	}

	/** What counts as a yes. */
	public enum Vote {

		/** The answer to the command that takes the key, as redis.io describes it. */
		FIRST_ANSWER,

		/**
		 * A second answer: does the key still have my name? If so, its time begins again.
		 * The validity counts from before this question.
		 */
		SECOND_LOOK,

		/**
		 * The first answer. Then the time of each key begins again, whoever has it, and
		 * nobody waits for the answer. The validity counts from before that command.
		 */
		BLIND_RENEWAL

	}

	/** Which clock of its machine a client reads. */
	public enum Clock {

		/** A clock that nobody can set. */
		STEADY,

		/** The time of day. It can be set back. */
		WALL

	}

	/** Which keys a client deletes when it gives the lock back, or did not get it. */
	public enum Release {

		/** Only keys that have its name. */
		OWN_KEY,

		/** All keys. */
		ANY_KEY

	}

	/** What the protected store compares before it writes. */
	public enum FenceChoice {

		/** Nothing. */
		NONE,

		/** The writer must be the owner that claimed the store last. */
		OWNER,

		/** No owner with a greater number may have written before. */
		NUMBER;

		/** The comparison for a writer with this number. */
		WriteCondition condition(long token) {
			return switch (this) {
				case NONE -> WriteCondition.NONE;
				case OWNER -> WriteCondition.OWNER;
				case NUMBER -> new WriteCondition(WriteCondition.Kind.TOKEN, token);
			};
		}

	}

}
