/** Posts that mention a user, or reply to one. */
@NullMarked
package live.retwis.mention;

import org.jspecify.annotations.NullMarked;
