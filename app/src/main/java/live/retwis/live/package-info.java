/** Streams: brings the commit log, complete and in order, to every open page. */
@NullMarked
package live.retwis.live;

import org.jspecify.annotations.NullMarked;
