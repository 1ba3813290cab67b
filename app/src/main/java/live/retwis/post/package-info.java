/**
 * Posts: writing, reading, rendering and deleting them.
 */
@NullMarked
package live.retwis.post;

import org.jspecify.annotations.NullMarked;
