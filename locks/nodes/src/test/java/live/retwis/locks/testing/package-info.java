/**
 * Faults of the network between a client and a real Redis server, for tests of this
 * module and of those that use it. A {@link live.retwis.locks.testing.FaultProxy} stands
 * between the two, injects them at chosen commands and tells when one has come about.
 */
@NullMarked
package live.retwis.locks.testing;

import org.jspecify.annotations.NullMarked;
