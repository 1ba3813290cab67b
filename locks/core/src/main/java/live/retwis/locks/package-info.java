/**
 * Locks that hold as long as a majority of independent Redis nodes does: the Redlock
 * algorithm over Redisson's {@code RedissonRedLock} or by asking all nodes at once, with
 * a validity, a fence and clean-up that outlives its caller. {@link RedLock} is the way
 * in; what such a lock does not guarantee is said in the module's README.
 */
@NullMarked
package live.retwis.locks;

import org.jspecify.annotations.NullMarked;
