/**
 * Rate limits: how often somebody may do something. All instances count together, in
 * Redis.
 */
@NullMarked
package live.retwis.limit;

import org.jspecify.annotations.NullMarked;
