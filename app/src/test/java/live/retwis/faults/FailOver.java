package live.retwis.faults;

import java.util.List;
import java.util.Random;

import live.retwis.locks.nodes.proxy.FaultProxy;

/**
 * The data node dies, and a replica without its last entries takes its place.
 *
 * @param master the data node
 * @param replica a replica that has all data of the master so far
 * @param ways proxies between the instances and the data node
 */
record FailOver(HarmedDataNode master, HarmedDataNode replica, List<FaultProxy> ways) {

	private static final int POSTS = 100;

	/** Runs a workload with a fail-over in the middle. */
	WorkloadHistory under(LoadBalancer balancer, WorkloadPeople people, Random random) {
		try (Workload workload = Workload.start(people, balancer, this.master, random, 8, 20)) {
			workload.awaitPosts(POSTS);
			workload.cut(this.master.process(), () -> {
				this.replica.loseMaster();
				workload.awaitPosts(POSTS);
				this.master.process().kill();
				this.replica.promote();
				this.ways.forEach((way) -> way.redirect(this.replica.process().port()));
			});
			workload.awaitPosts(POSTS);
			return workload.settle(this.replica);
		}
	}

}
