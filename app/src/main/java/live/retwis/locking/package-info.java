/**
 * Writes that cross keys, one at a time. A lock on the lock nodes guards them, and the
 * fence register on the data node names the owner of that lock.
 * {@link live.retwis.locking.GuardedWrites} is the entry point. The write itself is a
 * script that checks the register.
 */
@NullMarked
package live.retwis.locking;

import org.jspecify.annotations.NullMarked;
