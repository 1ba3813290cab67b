/**
 * A TCP proxy for each client and node. It delays, cuts, holds or loses what passes.
 */
@NullMarked
package live.retwis.locks.lab.proxy;

import org.jspecify.annotations.NullMarked;
