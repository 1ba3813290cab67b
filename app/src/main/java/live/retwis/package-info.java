/**
 * Starting the program: its commands and the Redis nodes in its care.
 */
@NullMarked
package live.retwis;

import org.jspecify.annotations.NullMarked;
