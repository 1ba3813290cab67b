/**
 * The Redlock lab as a page: starts runs, shows them live and keeps the last ones. What
 * is played and judged is the affair of {@code live.retwis.locks.lab}.
 */
@NullMarked
package live.retwis.lab;

import org.jspecify.annotations.NullMarked;
