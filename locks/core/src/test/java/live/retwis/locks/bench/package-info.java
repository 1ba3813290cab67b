/**
 * How fast the locks are, beside a plain RedissonRedLock, and what failing nodes cost
 * them. Run by {@code mvn -Pbench -pl locks/core -am verify}; never part of a test run,
 * for a busy machine is not a mistake in the program.
 */
@NullMarked
package live.retwis.locks.bench;

import org.jspecify.annotations.NullMarked;
