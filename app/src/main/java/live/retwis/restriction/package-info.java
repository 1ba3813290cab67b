/**
 * Muting and blocking: whose posts a user does not want to see, and who may not reply to
 * that user, notify or follow them. Both are restrictions, and nobody but the user sees
 * them.
 */
@NullMarked
package live.retwis.restriction;

import org.jspecify.annotations.NullMarked;
