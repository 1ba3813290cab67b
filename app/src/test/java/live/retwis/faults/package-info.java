/**
 * Tests of what readers see while something breaks. They consist of separate parts: a
 * workload of users who write and read at two instances, the faults, and a check of the
 * history.
 */
@NullMarked
package live.retwis.faults;

import org.jspecify.annotations.NullMarked;
