/**
 * The things that can go wrong, as objects. Each can be injected, undone, and proven from
 * outside.
 */
@NullMarked
package live.retwis.locks.lab.fault;

import org.jspecify.annotations.NullMarked;
