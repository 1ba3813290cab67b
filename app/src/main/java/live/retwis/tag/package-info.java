/** Hashtags: the posts that have them. */
@NullMarked
package live.retwis.tag;

import org.jspecify.annotations.NullMarked;
