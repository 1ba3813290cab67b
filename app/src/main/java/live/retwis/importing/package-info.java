/**
 * The command that imports the data of the PHP Retwis. It goes through the accounts, then
 * the follows, then the posts, and can go on where it broke off: what a number of the old
 * site became follows from the number, and each write can be repeated. Nothing of it is
 * in the commit log. Home timelines are built from the lists of the authors when their
 * readers come.
 */
@NullMarked
package live.retwis.importing;

import org.jspecify.annotations.NullMarked;
