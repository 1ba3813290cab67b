package live.retwis.account;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.testing.Site;
import live.retwis.testing.SiteProcess;
import org.awaitility.Awaitility;

/**
 * An instance that is to be killed, with a way of its own to the data node.
 *
 * @param process where it runs
 * @param data its way to the data node
 * @param name of its connections
 */
record DoomedInstance(SiteProcess process, FaultProxy data, String name) implements AutoCloseable {

	private static final AtomicInteger counter = new AtomicInteger();

	/** Starts it and returns at once. */
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

	/** Whether the data node has connections of it. */
	boolean isHeard(Site site) {
		return site.redis().clientList().contains("name=" + this.name + " ");
	}

	/** Waits until the data node has done all that the dead one ever sent. */
	void awaitSilence(Site site) {
		Awaitility.await("the end of the dead one's connections")
			.atMost(Duration.ofSeconds(10))
			.until(() -> !isHeard(site));
	}

	@Override
	public void close() {
		this.process.close();
		this.data.close();
	}

}
