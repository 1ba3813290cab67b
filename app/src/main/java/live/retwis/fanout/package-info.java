/**
 * Works through the commit log: hands each entry to the instance that takes it, and tells
 * how far the work is. What an entry means for lists is the affair of each
 * {@link live.retwis.fanout.EntryProcessor}.
 */
@NullMarked
package live.retwis.fanout;

import org.jspecify.annotations.NullMarked;
