/**
 * Lists of posts in commit order, the home timeline that is merged from them, and the
 * pages that show them.
 */
@NullMarked
package live.retwis.timeline;

import org.jspecify.annotations.NullMarked;
