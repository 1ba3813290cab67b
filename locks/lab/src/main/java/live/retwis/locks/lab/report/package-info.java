/**
 * Reports. They are drawn only from recorded histories.
 */
@NullMarked
package live.retwis.locks.lab.report;

import org.jspecify.annotations.NullMarked;
