package live.retwis.cluster;

/** Which servers keep the data of a cluster. */
public enum DataTopology {

	/** One server. */
	SINGLE,
	/** A master, two replicas, and three Sentinels that replace the master. */
	SENTINEL,
	/** A Redis Cluster of three masters with one replica each. */
	CLUSTER

}
