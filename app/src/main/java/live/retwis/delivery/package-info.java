/**
 * Puts posts into timelines and takes them out again, as the entries of the commit log
 * say. Workers run this.
 */
@NullMarked
package live.retwis.delivery;

import org.jspecify.annotations.NullMarked;
