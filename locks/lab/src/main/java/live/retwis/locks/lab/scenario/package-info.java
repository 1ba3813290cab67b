/**
 * The scenarios.
 */
@NullMarked
package live.retwis.locks.lab.scenario;

import org.jspecify.annotations.NullMarked;
