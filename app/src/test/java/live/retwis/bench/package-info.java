/**
 * Benchmarks of the site, compared with a server that only sends bytes. Run them with
 * {@code mvn -Pbench verify}. They are not part of a test run, because a busy machine is
 * not a mistake in the program.
 */
@NullMarked
package live.retwis.bench;

import org.jspecify.annotations.NullMarked;
