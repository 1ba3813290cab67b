/**
 * The parts of a scenario: a testbed with nodes and clients, and the rounds that are
 * played on it.
 */
@NullMarked
package live.retwis.locks.lab.play;

import org.jspecify.annotations.NullMarked;
