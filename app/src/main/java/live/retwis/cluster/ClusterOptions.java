package live.retwis.cluster;

import java.nio.file.Path;
import java.util.List;

/**
 * What a cluster is made of.
 *
 * @param program the main class of this program, which each instance runs
 * @param size how many instances, from 1 to 9
 * @param data which servers keep the data
 * @param port of the load balancer on this machine; 0 for any free one
 * @param directory where all parts keep their files; made unless it is there
 * @param demo whether to start the demo, which posts once a second
 * @param settings of the form {@code --property=value} for each instance
 */
public record ClusterOptions(Class<?> program, int size, DataTopology data, int port, Path directory, boolean demo,
		List<String> settings) {

	/** Most instances. Each takes some 250 MB of memory. */
	public static final int MOST_INSTANCES = 9;

	public ClusterOptions {
		settings = List.copyOf(settings);
	}

}
