/**
 * The program that runs a whole site on one machine: instances behind a small load
 * balancer, data nodes and lock nodes, each in a process of its own. It breaks and heals
 * its parts when an instance asks for that over the control port. It is for study, and no
 * way to run a site for others.
 */
@NullMarked
package live.retwis.cluster;

import org.jspecify.annotations.NullMarked;
