/** What users do to the posts of others, such as liking them. */
@NullMarked
package live.retwis.reaction;

import org.jspecify.annotations.NullMarked;
