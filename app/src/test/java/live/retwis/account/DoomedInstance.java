package live.retwis.account;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.testing.Site;
import live.retwis.testing.SiteProcess;
import org.awaitility.Awaitility;

/**
 * An instance that the test will kill. It has its own proxy to the data node.
 *
 * @param process process of the instance
 * @param data proxy to the data node
 * @param name name of its connections
 */
record DoomedInstance(SiteProcess process, FaultProxy data, String name) implements AutoCloseable {

	private static final AtomicInteger counter = new AtomicInteger();

	/** Starts the instance and returns at once. */
	static DoomedInstance launch(int redisPort, String... settings) {
		FaultProxy data = FaultProxy.to("127.0.0.1", redisPort);
		String name = "victim-" + counter.incrementAndGet();
		return new DoomedInstance(SiteProcess.launch(data.port(),
				Stream.concat(Stream.of(settings), Stream.of("--spring.data.redis.client-name=" + name))
					.toArray(String[]::new)),
				data, name);
	}

	String origin() {
		return this.process.origin();
	}

	/** Whether the data node still has connections of the instance. */
	boolean isHeard(Site site) {
		return site.redis().clientList().contains("name=" + this.name + " ");
	}

	/** Waits until the data node has processed everything that the dead instance sent. */
	void awaitSilence(Site site) {
		Awaitility.await("the end of the dead instance's connections")
			.atMost(Duration.ofSeconds(10))
			.until(() -> !isHeard(site));
	}

	@Override
	public void close() {
		this.process.close();
		this.data.close();
	}

}
