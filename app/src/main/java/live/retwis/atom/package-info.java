/** Atom feeds: the newest posts of a list, for feed readers. */
@NullMarked
package live.retwis.atom;

import org.jspecify.annotations.NullMarked;
