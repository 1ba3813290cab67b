/**
 * What an operator does about posts and users, by the command {@code moderate}, and the
 * reports of users that lead to it.
 */
@NullMarked
package live.retwis.moderation;

import org.jspecify.annotations.NullMarked;
