package live.retwis.web;

import java.lang.management.ManagementFactory;

import com.sun.management.UnixOperatingSystemMXBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * How many connections and streams this process can serve. Each connection is an open
 * file to the operating system, which limits these for each process. Some must be left
 * for Redis, for the files of the program, and for pages while all streams are taken.
 */
@Component
public class ConnectionCapacity {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionCapacity.class);

	/**
	 * Open files that are no connections of clients: connections to the data node and the
	 * lock nodes, the program's jar files and the management port. A fresh instance has
	 * fewer than 100.
	 */
	private static final int OWN_FILES = 1_000;

	/** With fewer files the limit is probably an oversight. */
	private static final int FEW_FILES = 10_000;

	private final int connections;

	ConnectionCapacity(ServerLimitProperties properties) {
		this.connections = (properties.connections() > 0) ? properties.connections() : possible(files());
		if (files() < FEW_FILES) {
			logger.warn(
					"This process may open {} files, so it serves at most {} connections, {} of them streams. For more, "
							+ "raise the limit of open files (ulimit -n).",
					files(), this.connections, streams());
		}
	}

	/** Most connections in a process with this limit of open files. */
	static int possible(long files) {
		return (int) Math.min(Integer.MAX_VALUE, Math.max(files / 2, files - OWN_FILES));
	}

	private static long files() {
		return (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)
				? unix.getMaxFileDescriptorCount() : Integer.MAX_VALUE;
	}

	/** Most open connections. */
	int connections() {
		return this.connections;
	}

	/** Most open streams. A tenth of the connections is left for pages. */
	public int streams() {
		return this.connections - this.connections / 10;
	}

}
