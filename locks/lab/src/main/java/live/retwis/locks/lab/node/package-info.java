/**
 * The Redis processes of a lab. Also ends the processes that a killed lab left.
 */
@NullMarked
package live.retwis.locks.lab.node;

import org.jspecify.annotations.NullMarked;
