package live.retwis.locks.lab.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

import live.retwis.locks.lab.client.ControlledClient;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;

/**
 * Commands or replies between a client and some nodes are held, lost or delayed.
 */
public final class LinkFault implements Fault {

	/** Takes the key of a lock, with any engine. */
	public static final Predicate<SentCommand> ACQUIRE = SentCommand.running("'exists'");

	/** Gives back the key of a lock, with any engine. */
	public static final Predicate<SentCommand> RELEASE = SentCommand.running("'del'");

	/**
	 * Sets a new time to live for a key that exists: our vote, which checks the owner,
	 * and Redisson's PEXPIRE, which does not.
	 */
	public static final Predicate<SentCommand> EXPIRE = SentCommand.running("'pexpire'")
		.and(ACQUIRE.negate())
		.and(RELEASE.negate());

	private final String name;

	private final ControlledClient client;

	private final List<Integer> nodes;

	private final Function<FaultProxy, Interception> kind;

	private final List<Interception> interceptions = new ArrayList<>();

	private LinkFault(String name, ControlledClient client, List<Integer> nodes,
			Function<FaultProxy, Interception> kind) {
		this.name = name;
		this.client = client;
		this.nodes = List.copyOf(nodes);
		this.kind = kind;
	}

	/** Commands wait on their way to the node. */
	public static LinkFault holdCommands(ControlledClient client, Predicate<SentCommand> commands, Integer... nodes) {
		return new LinkFault("commands held", client, List.of(nodes), (link) -> link.at(commands).holdCommand());
	}

	/** The node executes the commands, and its replies wait. */
	public static LinkFault holdReplies(ControlledClient client, Predicate<SentCommand> commands, Integer... nodes) {
		return new LinkFault("replies held", client, List.of(nodes), (link) -> link.at(commands).holdReply());
	}

	/** Commands never reach the node. The connections stay open. */
	public static LinkFault loseCommands(ControlledClient client, Predicate<SentCommand> commands, Integer... nodes) {
		return new LinkFault("commands lost", client, List.of(nodes), (link) -> link.at(commands).loseCommand());
	}

	/** Commands arrive late by that time. */
	public static LinkFault delay(ControlledClient client, Duration delay, Integer... nodes) {
		return new LinkFault("commands delayed by " + delay.toMillis() + " ms", client, List.of(nodes),
				(link) -> link.delay(delay));
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
		this.nodes.stream().map(this.client::link).map(this.kind).forEach(this.interceptions::add);
		return Map.of();
	}

	/** How many commands or replies the fault has met, on all links. */
	public int met() {
		return this.interceptions.stream().mapToInt(Interception::met).sum();
	}

	/** Whether the fault has met a command or reply on each link. */
	public boolean hasMetEach() {
		return this.interceptions.stream().allMatch((interception) -> interception.met() > 0);
	}

	@Override
	public Map<String, String> undo() {
		long bytes = this.interceptions.stream().mapToLong(Interception::bytes).sum();
		Map<String, String> proof = Map.of("met at the proxy", String.valueOf(met()), "bytes", String.valueOf(bytes));
		this.interceptions.forEach(Interception::close);
		return proof;
	}

}
