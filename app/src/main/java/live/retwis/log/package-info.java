/**
 * The commit log: what was written, in which order, where a reader is in it, and writes
 * of several steps that are brought to an end after a crash.
 */
@NullMarked
package live.retwis.log;

import org.jspecify.annotations.NullMarked;
