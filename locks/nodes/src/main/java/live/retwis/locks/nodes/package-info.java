/**
 * Starts, shares and ends real {@code redis-server} processes.
 */
@NullMarked
package live.retwis.locks.nodes;

import org.jspecify.annotations.NullMarked;
