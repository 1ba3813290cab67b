package live.retwis.cluster;

/** A server on this machine to which the load balancer may send requests. */
interface LoadBalancerBackend {

	int port();

	/** Whether it serves now, as far as is known. */
	boolean isReady();

}
