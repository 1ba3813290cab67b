/**
 * What is done before the site starts, and problems that keep it from starting, told with
 * what to do.
 */
@NullMarked
package live.retwis.startup;

import org.jspecify.annotations.NullMarked;
