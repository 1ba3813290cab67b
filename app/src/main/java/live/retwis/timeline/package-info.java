/**
 * Lists of posts in commit order, and the workers that fill them from the log.
 */
@NullMarked
package live.retwis.timeline;

import org.jspecify.annotations.NullMarked;
