/**
 * Real Redis servers for tests, of this module and of those that use it: in containers
 * where a Docker engine answers, else as processes.
 */
@NullMarked
package live.retwis.locks.nodes.testing;

import org.jspecify.annotations.NullMarked;
