/**
 * Search for users, tags and posts, and what the site suggests to those who look around.
 */
@NullMarked
package live.retwis.search;

import org.jspecify.annotations.NullMarked;
