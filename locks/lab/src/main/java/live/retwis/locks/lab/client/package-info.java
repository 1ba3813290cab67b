/**
 * Users of the locks. Each runs in this program or in a process of its own.
 */
@NullMarked
package live.retwis.locks.lab.client;

import org.jspecify.annotations.NullMarked;
