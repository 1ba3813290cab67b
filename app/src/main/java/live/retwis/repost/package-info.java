/**
 * Reposts. A repost is a post without a text, by the user who reposts. It goes the way of
 * every post, and pages show the original in its place.
 */
@NullMarked
package live.retwis.repost;

import org.jspecify.annotations.NullMarked;
