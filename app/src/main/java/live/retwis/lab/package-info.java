/**
 * The pages of the Redlock lab: they start runs, show them live and keep the last ones.
 * {@code live.retwis.locks.lab} plays and judges the runs.
 */
@NullMarked
package live.retwis.lab;

import org.jspecify.annotations.NullMarked;
