/**
 * Locks that a majority of independent Redis nodes grants: the Redlock algorithm. The
 * nodes are asked through Redisson's {@code RedissonRedLock}, or all at once. A lease has
 * a validity, a fence guards the store, and clean-up goes on when its caller has gone.
 * {@link RedLock} is the way in, and {@link BlockingRedLock} for programs without
 * Reactor. The module's README says what such a lock does not guarantee.
 * <p>
 * The code speaks of an election. A {@link CandidateOwner} is one fresh owner that wants
 * a lock. Each node is a voter. A node votes for a candidate by its own answer that it
 * holds the key for this owner. A {@link Ballot} is what one node was asked for one
 * candidate, and what it answered. A {@link VotingRound} asks all nodes for one
 * candidate. A {@link Tally} counts the answers. The candidate has the lock when more
 * than half of the configured nodes have voted for it, in time. A candidate that fails or
 * gives up is withdrawn, and its ballots are released. The next try is a new round with a
 * new candidate.
 */
@NullMarked
package live.retwis.locks;

import org.jspecify.annotations.NullMarked;
