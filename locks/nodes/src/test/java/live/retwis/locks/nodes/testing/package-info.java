/**
 * Real Redis servers for the tests of all modules, in containers where a Docker engine
 * answers, else as processes: {@link live.retwis.locks.nodes.testing.TestRedis}, given to
 * a test by {@link live.retwis.locks.nodes.testing.RedisExtension}.
 */
@NullMarked
package live.retwis.locks.nodes.testing;

import org.jspecify.annotations.NullMarked;
