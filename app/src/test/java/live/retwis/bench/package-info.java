/**
 * How fast the pages are, beside a server that does nothing but send bytes. Run by
 * {@code mvn -Pbench verify}; never part of a test run, for a busy machine is not a
 * mistake in the program.
 */
@NullMarked
package live.retwis.bench;

import org.jspecify.annotations.NullMarked;
