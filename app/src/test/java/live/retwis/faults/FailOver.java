package live.retwis.faults;

import java.util.List;
import java.util.Random;

import live.retwis.locks.nodes.proxy.FaultProxy;

/**
 * The data node dies, and a replica that has not heard its last entries takes its place.
 *
 * @param master the data node
 * @param replica has all that the master has so far
 * @param ways between the instances and the data node
 */
record FailOver(HarmedDataNode master, HarmedDataNode replica, List<FaultProxy> ways) {

	private static final int POSTS = 100;

	/** Happens in the middle of a workload. */
	WorkloadHistory under(LoadBalancer balancer, WorkloadPeople people, Random random) {
		try (Workload workload = Workload.start(people, balancer, this.master, random, 8, 20)) {
			workload.awaitPosts(POSTS);
			this.replica.loseMaster();
			workload.awaitPosts(POSTS);
			this.master.process().kill();
			this.replica.promote();
			this.ways.forEach((way) -> way.redirect(this.replica.process().port()));
			workload.awaitPosts(POSTS);
			return workload.settle(this.replica);
		}
	}

}
