/** Adds the instance and the request to log lines. */
@NullMarked
package live.retwis.logging;

import org.jspecify.annotations.NullMarked;
