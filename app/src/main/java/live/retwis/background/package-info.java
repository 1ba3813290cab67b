/** Work outside of requests: periodic tasks, and queues of work that may wait. */
@NullMarked
package live.retwis.background;

import org.jspecify.annotations.NullMarked;
