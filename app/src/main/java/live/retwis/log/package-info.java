/**
 * The commit log: which writes happened and in which order, how far a reader has read it,
 * and how writes of several steps are finished after a crash.
 */
@NullMarked
package live.retwis.log;

import org.jspecify.annotations.NullMarked;
