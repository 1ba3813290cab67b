/**
 * Removes the data of users who have deleted their accounts. Each feature removes its own
 * data, by a {@link live.retwis.removal.RemovalStep}. The deletion itself, which makes
 * the account unreachable at once, is {@code live.retwis.account.AccountDeletion}.
 */
@NullMarked
package live.retwis.removal;

import org.jspecify.annotations.NullMarked;
