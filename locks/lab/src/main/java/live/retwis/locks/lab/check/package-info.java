/**
 * Judges a recorded history, without knowing how it was brought about.
 */
@NullMarked
package live.retwis.locks.lab.check;

import org.jspecify.annotations.NullMarked;
