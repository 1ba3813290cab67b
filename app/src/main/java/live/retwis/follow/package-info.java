/**
 * Who follows whom.
 */
@NullMarked
package live.retwis.follow;

import org.jspecify.annotations.NullMarked;
