/**
 * Clears away what users have left who deleted their accounts. The deletion itself, which
 * makes the account unreachable at once, is {@code live.retwis.account.AccountDeletion}.
 */
@NullMarked
package live.retwis.removal;

import org.jspecify.annotations.NullMarked;
