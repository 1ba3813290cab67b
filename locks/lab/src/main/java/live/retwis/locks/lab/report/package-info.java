/**
 * Reports, drawn from recorded histories only.
 */
@NullMarked
package live.retwis.locks.lab.report;

import org.jspecify.annotations.NullMarked;
