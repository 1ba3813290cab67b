/**
 * A TCP proxy for each client and node, which delays, cuts, holds or loses what passes.
 */
@NullMarked
package live.retwis.locks.lab.proxy;

import org.jspecify.annotations.NullMarked;
