/**
 * What happened in a round. Checkers and reports know nothing else.
 */
@NullMarked
package live.retwis.locks.lab.history;

import org.jspecify.annotations.NullMarked;
