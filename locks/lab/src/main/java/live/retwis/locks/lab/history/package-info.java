/**
 * What happened in a round: the only thing that judges and reports know.
 */
@NullMarked
package live.retwis.locks.lab.history;

import org.jspecify.annotations.NullMarked;
