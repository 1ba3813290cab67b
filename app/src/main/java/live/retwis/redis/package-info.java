/**
 * What the features share of Redis: key names, scripts, the data node's clock and the
 * commit log.
 */
@NullMarked
package live.retwis.redis;

import org.jspecify.annotations.NullMarked;
