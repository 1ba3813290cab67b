/**
 * Users of the locks, in this program or each in a process of its own.
 */
@NullMarked
package live.retwis.locks.lab.client;

import org.jspecify.annotations.NullMarked;
