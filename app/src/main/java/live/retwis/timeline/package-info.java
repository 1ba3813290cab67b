/**
 * Lists of posts in commit order: the pages that show them, and the work that fills them
 * from the log.
 */
@NullMarked
package live.retwis.timeline;

import org.jspecify.annotations.NullMarked;
