/**
 * The locks that are compared, behind one small interface, and the store that they
 * protect.
 */
@NullMarked
package live.retwis.locks.lab.engine;

import org.jspecify.annotations.NullMarked;
