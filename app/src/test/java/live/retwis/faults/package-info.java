/**
 * What readers see while something breaks: a workload of people who write and read at two
 * instances, faults, and a check of the history that comes of it, each apart from the
 * others.
 */
@NullMarked
package live.retwis.faults;

import org.jspecify.annotations.NullMarked;
