/**
 * What can go wrong, as objects: injected, undone, and proven from outside.
 */
@NullMarked
package live.retwis.locks.lab.fault;

import org.jspecify.annotations.NullMarked;
