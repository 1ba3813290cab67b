/**
 * The Redlock lab. It plays scenarios of failing nodes, links and clients on real Redis
 * nodes of its own, and judges what the locks made of them.
 * {@link live.retwis.locks.lab.LabCommand} is the way in.
 */
@NullMarked
package live.retwis.locks.lab;

import org.jspecify.annotations.NullMarked;
