/**
 * A proxy between clients and a server that does to them what a network can do. A
 * {@link live.retwis.locks.nodes.proxy.FaultProxy} holds, loses and delays chosen
 * commands and replies, and breaks connections. The lab and the tests of all modules use
 * it.
 */
@NullMarked
package live.retwis.locks.nodes.proxy;

import org.jspecify.annotations.NullMarked;
