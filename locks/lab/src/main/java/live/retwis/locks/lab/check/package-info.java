/**
 * Judges a recorded history. The checkers do not know how it was brought about.
 */
@NullMarked
package live.retwis.locks.lab.check;

import org.jspecify.annotations.NullMarked;
