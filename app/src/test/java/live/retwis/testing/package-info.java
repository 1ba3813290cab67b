/**
 * A running site and people who use it, for tests.
 */
@NullMarked
package live.retwis.testing;

import org.jspecify.annotations.NullMarked;
