/**
 * What all features share of Redis: key names, scripts, connections and the data node's
 * clock.
 */
@NullMarked
package live.retwis.redis;

import org.jspecify.annotations.NullMarked;
