/**
 * Work beside the requests: what is done again and again, and what is done when there is
 * time for it.
 */
@NullMarked
package live.retwis.background;

import org.jspecify.annotations.NullMarked;
