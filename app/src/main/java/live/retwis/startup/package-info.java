/**
 * Steps before the site starts, and problems that keep it from starting, each with advice
 * on what to do.
 */
@NullMarked
package live.retwis.startup;

import org.jspecify.annotations.NullMarked;
