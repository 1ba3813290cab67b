package live.retwis.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import live.retwis.locks.nodes.RedisProcessOptions;

/**
 * A master with two replicas, and three Sentinels that make a replica the master when the
 * master is gone.
 */
final class SentinelDataServers extends DataServers {

	/** The name by which the Sentinels know the master. */
	private static final String NAME = "data";

	private static final int REPLICAS = 2;

	private static final int SENTINELS = 3;

	/** When a Sentinel takes the master for down. */
	private static final int DOWN_AFTER_MILLIS = 1500;

	private static final int FAILOVER_MILLIS = 10_000;

	private final List<RedisServerPart> sentinels = new ArrayList<>();

	@Override
	void launch(Path directory, LocalPorts ports, ProcessGuard guard) {
		launchNodes(1 + REPLICAS, directory, ports, guard);
		RedisServerPart master = newest();
		nodes().stream().filter((node) -> node != master).forEach((node) -> replicate(node, master));
		await("the replicas are in sync",
				() -> nodes().stream()
					.filter((node) -> info(node).contains("master_link_status:up"))
					.count() == REPLICAS);
		// They begin anew at each start, because the addresses are others.
		launch(this.sentinels, SENTINELS, "sentinel-", directory, ports, guard,
				RedisProcessOptions.DEFAULT.with(
						"sentinel monitor " + NAME + " 127.0.0.1 " + master.port() + " " + (SENTINELS / 2 + 1),
						"sentinel down-after-milliseconds " + NAME + " " + DOWN_AFTER_MILLIS,
						"sentinel failover-timeout " + NAME + " " + FAILOVER_MILLIS));
		String whole = "slaves=" + REPLICAS + ",sentinels=" + SENTINELS;
		await("the Sentinels know all servers",
				() -> this.sentinels.stream().allMatch((one) -> one.askText("INFO", "sentinel").contains(whole)));
	}

	/**
	 * The server whose log goes furthest. The last master of an earlier run may have had
	 * any of the names.
	 */
	private RedisServerPart newest() {
		return nodes().stream()
			.max(Comparator.comparing(SentinelDataServers::lastEntry)
				.thenComparing(RedisServerPart::name, Comparator.reverseOrder()))
			.orElseThrow();
	}

	/** The id of the newest entry of the log, in a form that sorts as text. */
	private static String lastEntry(RedisServerPart node) {
		return node.ask("XREVRANGE", LOG, "+", "-", "COUNT", "1")
			.stream()
			.findFirst()
			.map((id) -> id.split("-"))
			.map((parts) -> "%20s-%20s".formatted(parts[0], parts[1]))
			.orElse("");
	}

	private static void replicate(RedisServerPart node, RedisServerPart master) {
		node.ask("REPLICAOF", "127.0.0.1", String.valueOf(master.port()));
	}

	private static String info(RedisServerPart node) {
		return node.askText("INFO", "replication");
	}

	@Override
	List<RedisServerPart> watchers() {
		return List.copyOf(this.sentinels);
	}

	/**
	 * A post counts as made when one replica has it, so that a dead master loses none.
	 */
	@Override
	List<String> settings() {
		return List.of("--spring.data.redis.sentinel.master=" + NAME,
				"--spring.data.redis.sentinel.nodes=" + addresses(this.sentinels), "--retwis.redis.wait-replicas=1");
	}

	@Override
	Optional<RedisServerPart> master() {
		return told().filter((node) -> node.role().equals("master"));
	}

	/** The master as a Sentinel tells it, whether it is up or not. */
	private Optional<RedisServerPart> told() {
		return this.sentinels.stream()
			.map((sentinel) -> sentinel.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME))
			.filter((answer) -> answer.size() == 2)
			.findFirst()
			.flatMap((answer) -> withPort(answer.get(1)));
	}

	/**
	 * A former master that comes back still reports itself as master until Sentinel
	 * reconfigures it.
	 */
	@Override
	boolean isMaster(RedisServerPart node) {
		return super.isMaster(node) && told().filter((master) -> master == node).isPresent();
	}

	/**
	 * A former master begins as a replica, so that nothing is written to it before a
	 * Sentinel notices it.
	 */
	@Override
	void restart(RedisServerPart node) {
		node.restart();
		told().filter((master) -> master != node).ifPresent((master) -> replicate(node, master));
	}

}
