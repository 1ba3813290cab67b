/**
 * Designs of a lock on several nodes, and the search for a schedule that breaks one. A
 * schedule is played in simulated time, so thousands take a second. What happens in it is
 * written down and judged like a round on real nodes.
 */
@NullMarked
package live.retwis.locks.lab.design;

import org.jspecify.annotations.NullMarked;
