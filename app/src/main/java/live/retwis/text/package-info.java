/**
 * What people type: what is kept of it, and what the text of a post can hold, which is
 * links, mentions of users, and hashtags. It knows nothing of Redis and of pages.
 */
@NullMarked
package live.retwis.text;

import org.jspecify.annotations.NullMarked;
