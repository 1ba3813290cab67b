package live.retwis.locks.lab.design;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import live.retwis.locks.lab.design.RedlockDesign.Clock;
import live.retwis.locks.lab.design.RedlockDesign.FenceChoice;
import live.retwis.locks.lab.design.RedlockDesign.Release;
import live.retwis.locks.lab.design.RedlockDesign.Vote;

/** A choice that leaves room for faults, and the choice of this project's lock. */
public enum Weakness {

	/** Two groups that are large enough need not share a node. */
	QUORUM((design) -> 2 * design.quorum() <= design.nodes(),
			(design) -> design.withQuorum(RedlockDesign.retwis(design.nodes()).quorum())),

	/** The time of a key begins again, whoever has it. */
	VOTE((design) -> design.vote() == Vote.BLIND_RENEWAL, (design) -> design.withVote(Vote.SECOND_LOOK)),

	/** What asking took is not subtracted. */
	VALIDITY((design) -> !design.checksValidity(), (design) -> design.withValidityCheck(true)),

	/** Nothing is subtracted for clocks that run fast. */
	DRIFT((design) -> !design.allowsForDrift(), (design) -> design.withDriftAllowance(true)),

	/** A client reads a clock that can be set back. */
	CLOCK((design) -> design.clock() == Clock.WALL, (design) -> design.withClock(Clock.STEADY)),

	/** A client deletes keys of other clients. */
	RELEASE((design) -> design.release() == Release.ANY_KEY, (design) -> design.withRelease(Release.OWN_KEY)),

	/** The store compares nothing. */
	NO_FENCE((design) -> design.fence() == FenceChoice.NONE, (design) -> design.withFence(FenceChoice.OWNER)),

	/**
	 * The store compares a number, which says nothing until the greater one has written.
	 */
	NUMBER_FENCE((design) -> design.fence() == FenceChoice.NUMBER, (design) -> design.withFence(FenceChoice.OWNER));

	private final Predicate<RedlockDesign> present;

	private final UnaryOperator<RedlockDesign> mended;

	Weakness(Predicate<RedlockDesign> present, UnaryOperator<RedlockDesign> mended) {
		this.present = present;
		this.mended = mended;
	}

	/** The weaknesses of a design. */
	public static List<Weakness> of(RedlockDesign design) {
		return Stream.of(values()).filter((one) -> one.present.test(design)).toList();
	}

	/**
	 * Whether it does little harm because the lease begins again after the nodes were
	 * asked, so that what asking took matters little.
	 */
	public boolean isSmallIn(RedlockDesign design) {
		return (this == VALIDITY || this == CLOCK) && design.vote() != Vote.FIRST_ANSWER;
	}

	/** The design with this one choice made as in this project's lock. */
	public RedlockDesign mendedIn(RedlockDesign design) {
		return this.mended.apply(design);
	}

}
