/**
 * What others did that a user is told of: follows, likes, reposts, mentions and replies.
 * The workers derive it from the log.
 */
@NullMarked
package live.retwis.notification;

import org.jspecify.annotations.NullMarked;
