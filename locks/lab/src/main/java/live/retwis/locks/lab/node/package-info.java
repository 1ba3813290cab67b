/**
 * The Redis processes of a lab, and the end of those that a killed lab left.
 */
@NullMarked
package live.retwis.locks.lab.node;

import org.jspecify.annotations.NullMarked;
