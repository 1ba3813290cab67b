package live.retwis.cluster;

import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * How a cluster is.
 *
 * @param now when it was looked at, ms since the epoch
 * @param data which servers keep the data
 * @param instances the instances
 * @param dataNodes the servers with data
 * @param lockNodes the lock nodes
 * @param breakage what was broken last; null when nothing was
 */
public record LocalSiteState(long now, DataTopology data, List<PartSnapshot> instances, List<PartSnapshot> dataNodes,
		List<PartSnapshot> lockNodes, @Nullable ClusterFaultRecord breakage) {

	/** All parts. */
	public Stream<PartSnapshot> parts() {
		return Stream.of(this.instances, this.dataNodes, this.lockNodes).flatMap(List::stream);
	}

	/** Whether nothing is broken and all parts are up. */
	public boolean isWhole() {
		return (this.breakage == null || !this.breakage.isActive()) && parts().allMatch(PartSnapshot::isUp);
	}

}
