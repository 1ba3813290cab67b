/**
 * Makes pictures of users from the files that they send. A file is decoded and written
 * anew, so that nothing of it but its pixels is stored or served. It knows nothing of
 * Redis and of pages.
 */
@NullMarked
package live.retwis.picture;

import org.jspecify.annotations.NullMarked;
