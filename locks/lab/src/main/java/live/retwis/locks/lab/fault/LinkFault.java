package live.retwis.locks.lab.fault;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

import live.retwis.locks.lab.client.LabClient;
import live.retwis.locks.lab.proxy.Obstacle;
import live.retwis.locks.lab.proxy.Obstacle.Effect;
import live.retwis.locks.lab.proxy.ProxyLink;
import live.retwis.locks.lab.proxy.RedisCommand;
import live.retwis.locks.lab.proxy.TrafficDirection;

/**
 * Commands or replies between a client and some nodes are held, lost or delayed.
 */
public final class LinkFault implements Fault {

	private final String name;

	private final LabClient client;

	private final List<Integer> nodes;

	private final Supplier<Obstacle> kind;

	private final Map<ProxyLink, Obstacle> obstacles = new LinkedHashMap<>();

	private LinkFault(String name, LabClient client, List<Integer> nodes, Supplier<Obstacle> kind) {
		this.name = name;
		this.client = client;
		this.nodes = List.copyOf(nodes);
		this.kind = kind;
	}

	/** Commands wait on their way to the node. */
	public static LinkFault holdCommands(LabClient client, Predicate<RedisCommand> commands, Integer... nodes) {
		return new LinkFault("commands held", client, List.of(nodes),
				() -> Obstacle.of(TrafficDirection.TO_NODE, commands, Effect.HOLD));
	}

	/** The node executes the commands, and its replies wait. */
	public static LinkFault holdReplies(LabClient client, Predicate<RedisCommand> commands, Integer... nodes) {
		return new LinkFault("replies held", client, List.of(nodes),
				() -> Obstacle.of(TrafficDirection.TO_CLIENT, commands, Effect.HOLD));
	}

	/** Commands never reach the node. The connections stay open. */
	public static LinkFault loseCommands(LabClient client, Predicate<RedisCommand> commands, Integer... nodes) {
		return new LinkFault("commands lost", client, List.of(nodes),
				() -> Obstacle.of(TrafficDirection.TO_NODE, commands, Effect.LOSE));
	}

	/** Commands arrive late by that time. */
	public static LinkFault delay(LabClient client, Duration delay, Integer... nodes) {
		return new LinkFault("commands delayed by " + delay.toMillis() + " ms", client, List.of(nodes),
				() -> Obstacle.delay(delay));
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public String subject() {
		return this.client.name() + " to node " + String.join(", ", this.nodes.stream().map(String::valueOf).toList());
	}

	@Override
	public Map<String, String> inject() {
		this.nodes.stream()
			.map(this.client::link)
			.forEach((link) -> this.obstacles.put(link, link.add(this.kind.get())));
		return Map.of();
	}

	/** How many commands or replies the fault has met, on all links. */
	public int met() {
		return this.obstacles.values().stream().mapToInt(Obstacle::met).sum();
	}

	/** Whether the fault has met a command or reply on each link. */
	public boolean hasMetEach() {
		return this.obstacles.values().stream().allMatch((obstacle) -> obstacle.met() > 0);
	}

	@Override
	public Map<String, String> undo() {
		long bytes = this.obstacles.values().stream().mapToLong(Obstacle::bytes).sum();
		Map<String, String> proof = Map.of("met at the proxy", String.valueOf(met()), "bytes", String.valueOf(bytes));
		this.obstacles.forEach(ProxyLink::remove);
		return proof;
	}

}
