/**
 * What tests of all modules need.
 * <ul>
 * <li>Real Redis servers, in containers where a Docker engine answers, else as processes:
 * {@link live.retwis.locks.nodes.testing.TestRedis}, given to a test by
 * {@link live.retwis.locks.nodes.testing.RedisExtension}.
 * <li>Faults of the network between a client and its server:
 * {@link live.retwis.locks.nodes.testing.FaultProxy} stands between the two, injects
 * faults at chosen commands, and tells when one has come about.
 * </ul>
 */
@NullMarked
package live.retwis.locks.nodes.testing;

import org.jspecify.annotations.NullMarked;
