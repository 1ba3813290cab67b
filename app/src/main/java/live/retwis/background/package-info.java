/**
 * Work outside of requests: periodic tasks, queues of work that may wait, and processes
 * that must not slow pages down.
 */
@NullMarked
package live.retwis.background;

import org.jspecify.annotations.NullMarked;
