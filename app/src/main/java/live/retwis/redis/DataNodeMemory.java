package live.retwis.redis;

import java.time.Duration;
import java.util.List;
import java.util.Properties;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.background.PeriodicTask;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.connection.ReactiveRedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
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

	/** After so many looks without an answer nothing is known. */
	private static final int MOST_UNANSWERED = 15;

	private static final String SECTION = "memory";

	private final ReactiveStringRedisTemplate redis;

	private volatile double used;

	/** Looks in a row without an answer. */
	private int unanswered;

	DataNodeMemory(ReactiveStringRedisTemplate redis, MeterRegistry meters) {
		super(EVERY);
		this.redis = redis;
		Gauge.builder("retwis.data.memory", this, (memory) -> memory.used)
			.description("Used memory of the fullest data node, as a fraction of its maxmemory")
			.register(meters);
	}

	/**
	 * INFO memory, of each master. One that does not answer says nothing of how full it
	 * is.
	 */
	@Override
	protected Mono<Void> run() {
		return this.redis
			.execute((connection) -> (connection instanceof ReactiveRedisClusterConnection cluster) ? ofMasters(cluster)
					: connection.serverCommands().info(SECTION))
			.map(DataNodeMemory::used)
			.collectList()
			.doOnNext(this::looked)
			.doOnError((away) -> looked(List.of()))
			.then();
	}

	/** What was seen counts until nobody has answered for a while. */
	private void looked(List<Double> used) {
		this.unanswered = used.isEmpty() ? this.unanswered + 1 : 0;
		if (this.unanswered == 0 || this.unanswered >= MOST_UNANSWERED) {
			this.used = used.stream().mapToDouble(Double::doubleValue).max().orElse(0);
		}
	}

	private static Flux<Properties> ofMasters(ReactiveRedisClusterConnection cluster) {
		return cluster.clusterGetNodes()
			.filter(RedisClusterNode::isMaster)
			.flatMap((master) -> cluster.serverCommands().info(master, SECTION).onErrorComplete());
	}

	/**
	 * The used fraction of a node. One without {@code maxmemory} may use all memory of
	 * its machine. Zero when it tells neither.
	 */
	static double used(Properties info) {
		double bound = number(info, "maxmemory");
		double most = (bound > 0) ? bound : number(info, "total_system_memory");
		return (most > 0) ? number(info, "used_memory") / most : 0;
	}

	private static double number(Properties info, String name) {
		return Double.parseDouble(info.getProperty(name, "0"));
	}

	/**
	 * Checks whether there is room for something new.
	 * @return done; {@link DataNodeFullException} when a data node is nearly full
	 */
	public Mono<Void> requireRoom() {
		return Mono.defer(() -> isNearlyFull() ? Mono.error(new DataNodeFullException()) : Mono.empty());
	}

	/** Whether a data node was nearly full at the last look. */
	public boolean isNearlyFull() {
		return this.used >= NEARLY_FULL;
	}

}
