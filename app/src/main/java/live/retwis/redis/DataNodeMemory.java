package live.retwis.redis;

import java.time.Duration;
import java.util.Properties;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.background.PeriodicTask;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * How full the data nodes are. A node whose memory is full refuses every write, also
 * those that end sessions and delete posts. So the site refuses what makes the data grow
 * a little earlier.
 */
@Component
public class DataNodeMemory extends PeriodicTask {

	/** The fraction of a node's memory from which on nothing new is taken. */
	static final double NEARLY_FULL = 0.9;

	private static final Duration EVERY = Duration.ofSeconds(2);

	private static final String USED = "used_memory";

	private final ReactiveStringRedisTemplate redis;

	private volatile double used;

	DataNodeMemory(ReactiveStringRedisTemplate redis, MeterRegistry meters) {
		super(EVERY);
		this.redis = redis;
		Gauge.builder("retwis.data.memory", this, (memory) -> memory.used)
			.description("Used memory of the fullest data node, as a fraction of its maxmemory")
			.register(meters);
	}

	/** INFO memory, of each node. */
	@Override
	protected Mono<Void> run() {
		return this.redis.execute((connection) -> connection.serverCommands().info("memory"))
			.next()
			.doOnNext((info) -> this.used = fullest(info))
			.then();
	}

	/**
	 * The used fraction of the fullest node. On a cluster the name of each fact begins
	 * with its node. A node without {@code maxmemory} may use all memory of its machine.
	 */
	static double fullest(Properties info) {
		return info.stringPropertyNames()
			.stream()
			.filter((name) -> name.equals(USED) || name.endsWith("." + USED))
			.map((name) -> name.substring(0, name.length() - USED.length()))
			.mapToDouble((node) -> number(info, node + USED) / Math.max(1, most(info, node)))
			.max()
			.orElse(0);
	}

	private static double most(Properties info, String node) {
		double most = number(info, node + "maxmemory");
		return (most > 0) ? most : number(info, node + "total_system_memory");
	}

	private static double number(Properties info, String name) {
		return Double.parseDouble(info.getProperty(name, "0"));
	}

	/** Whether a data node was nearly full at the last look. */
	public boolean isNearlyFull() {
		return this.used >= NEARLY_FULL;
	}

}
