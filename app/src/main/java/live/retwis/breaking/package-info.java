/**
 * Breaks the site behind one's own open page, where the site runs as a cluster on one
 * machine (command {@code cluster}). Pages compare what they have shown with the log, so
 * that readers see that nothing is lost. Anywhere else none of this exists.
 */
@NullMarked
package live.retwis.breaking;

import org.jspecify.annotations.NullMarked;
