/**
 * Benchmarks of the locks, compared with a plain RedissonRedLock, and of the cost of
 * failing nodes. Run them with {@code mvn -Pbench -pl locks/core -am verify}. They are
 * not part of a test run, because a busy machine is not a mistake in the program.
 */
@NullMarked
package live.retwis.locks.bench;

import org.jspecify.annotations.NullMarked;
