/**
 * Tools for the tests of all modules.
 * <ul>
 * <li>Real Redis servers, in containers where a Docker engine answers, else as processes:
 * {@link live.retwis.locks.nodes.testing.TestRedis}. A test gets one from
 * {@link live.retwis.locks.nodes.testing.RedisExtension}.
 * <li>Faults of the network between a client and its server:
 * {@link live.retwis.locks.nodes.testing.FaultProxy} is a proxy between the two. It
 * injects faults at chosen commands, and tells when a fault has occurred.
 * </ul>
 */
@NullMarked
package live.retwis.locks.nodes.testing;

import org.jspecify.annotations.NullMarked;
