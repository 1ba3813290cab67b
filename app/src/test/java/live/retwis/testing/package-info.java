/** A running site and its visitors, for tests. */
@NullMarked
package live.retwis.testing;

import org.jspecify.annotations.NullMarked;
