/**
 * Users, their names, passwords and sessions.
 */
@NullMarked
package live.retwis.account;

import org.jspecify.annotations.NullMarked;
