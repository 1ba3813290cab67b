/**
 * What each line of the log says of its instance and of the request.
 */
@NullMarked
package live.retwis.logging;

import org.jspecify.annotations.NullMarked;
