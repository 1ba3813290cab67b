/**
 * What happened in a round. Judges and reports know nothing else.
 */
@NullMarked
package live.retwis.locks.lab.history;

import org.jspecify.annotations.NullMarked;
