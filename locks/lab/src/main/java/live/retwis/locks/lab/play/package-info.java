/**
 * What a scenario is made of: a stage with nodes and clients, and rounds played on it.
 */
@NullMarked
package live.retwis.locks.lab.play;

import org.jspecify.annotations.NullMarked;
