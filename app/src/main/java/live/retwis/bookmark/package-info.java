/** Posts that a user keeps. Nobody else sees them. */
@NullMarked
package live.retwis.bookmark;

import org.jspecify.annotations.NullMarked;
