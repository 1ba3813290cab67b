/**
 * The command that checks everything stored and reports broken rules. It walks the keys
 * with SCAN, in batches. A finding counts only if it is still there one lease later, so
 * the command can run while the site is in use. Repairs are scripts that check again what
 * they repair.
 */
@NullMarked
package live.retwis.doctor;

import org.jspecify.annotations.NullMarked;
