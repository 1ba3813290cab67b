/**
 * The pages of one user: profile, posts as a feed, and posts of this day in other years.
 */
@NullMarked
package live.retwis.profile;

import org.jspecify.annotations.NullMarked;
