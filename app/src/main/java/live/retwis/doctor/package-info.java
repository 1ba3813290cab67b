/**
 * The command that looks at everything stored and tells what breaks a rule. It walks the
 * keys with SCAN, in batches; what it finds counts only if it is still there one lease
 * later, so that it can be run beside a living site. Repairs are scripts that check again
 * what they repair.
 */
@NullMarked
package live.retwis.doctor;

import org.jspecify.annotations.NullMarked;
