/**
 * Writes that cross keys, one at a time: a lock on the lock nodes, whose owner the fence
 * register on the data node names. {@link live.retwis.guard.GuardedWrites} is the way in; the
 * write itself is a script that checks the register.
 */
@NullMarked
package live.retwis.guard;

import org.jspecify.annotations.NullMarked;
