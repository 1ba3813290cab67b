/**
 * Processes the commit log: hands each entry to one instance, and tracks how far the work
 * is. An {@link live.retwis.fanout.EntryProcessor} decides what an entry means for the
 * lists of its feature.
 */
@NullMarked
package live.retwis.fanout;

import org.jspecify.annotations.NullMarked;
