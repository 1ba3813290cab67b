/**
 * Fans the entries of the commit log out: one instance takes each entry, passes it to the
 * processor of each feature, and may split it into tasks for other instances. Tracks how
 * far this work is. An {@link live.retwis.fanout.LogEntryProcessor} decides what an entry
 * means for the lists of its feature.
 */
@NullMarked
package live.retwis.fanout;

import org.jspecify.annotations.NullMarked;
