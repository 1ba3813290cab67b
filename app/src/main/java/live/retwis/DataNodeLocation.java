package live.retwis;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Cluster;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Sentinel;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;

/** Tells an operator where the data is. */
final class DataNodeLocation {

	private DataNodeLocation() {
	}

	static String of(DataRedisConnectionDetails settings) {
		Sentinel sentinel = settings.getSentinel();
		if (sentinel != null) {
			return sentinel.getMaster() + " of the Sentinels " + addresses(sentinel.getNodes());
		}
		Cluster cluster = settings.getCluster();
		if (cluster != null) {
			return "the cluster of " + addresses(cluster.getNodes());
		}
		Standalone server = Objects.requireNonNull(settings.getStandalone());
		return server.getHost() + ":" + server.getPort();
	}

	private static String addresses(List<Node> nodes) {
		return nodes.stream().map((node) -> node.host() + ":" + node.port()).collect(Collectors.joining(", "));
	}

}
