/**
 * The commands that start the program.
 */
@NullMarked
package live.retwis;

import org.jspecify.annotations.NullMarked;
