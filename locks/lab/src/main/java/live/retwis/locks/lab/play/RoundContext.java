package live.retwis.locks.lab.play;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

import live.retwis.locks.lab.client.ControlledClient;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.engine.ProtectedStore;
import live.retwis.locks.lab.fault.ClockFault;
import live.retwis.locks.lab.fault.Fault;
import live.retwis.locks.lab.fault.StalledReplication;
import live.retwis.locks.lab.history.History;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.history.RoundRecord;
import live.retwis.locks.lab.node.KeyState;
import live.retwis.locks.lab.node.LabNode;
import live.retwis.locks.nodes.Poll;
import live.retwis.locks.nodes.Uninterrupted;
import org.jspecify.annotations.Nullable;

/**
 * One round of a scenario. The scenario acts through it, and it notes each step in the
 * history.
 */
public final class RoundContext {

	/** How much longer than a lease and asking each node a wait for a state may take. */
	private static final Duration PATIENCE = Duration.ofSeconds(3);

	private final Testbed testbed;

	private final String resource;

	private final Random random;

	/** What kind of round it is, without events. */
	private final RoundRecord header;

	private final RoundListener listener;

	private final ActiveFaults faults = new ActiveFaults();

	/** The clients of the round, each with the numbers of its nodes. */
	private final Map<ControlledClient, List<Integer>> observed = new LinkedHashMap<>();

	/** The history. It begins with the first step, when all clients are ready. */
	private History history = new History();

	/** Adds to the history what is seen of the nodes. */
	private @Nullable NodeWatcher watch;

	private RoundContext(Testbed testbed, RoundRecord header, RoundListener listener) {
		this.testbed = testbed;
		this.resource = "lab:" + header.scenario() + ":" + header.round();
		this.random = new Random(header.seed() * 31 + header.round());
		this.header = header;
		this.listener = listener;
	}

	/**
	 * Plays a round to its end, whatever happens in it.
	 * @param scenario what to play
	 * @param testbed the nodes and clients to play it on
	 * @param seed of its schedule
	 * @param number counted from 1
	 * @param listener is told of the round while it is played
	 * @return the round with its history
	 */
	public static RoundRecord play(Scenario scenario, Testbed testbed, long seed, int number, RoundListener listener) {
		RoundRecord header = new RoundRecord(scenario.about().number(), testbed.engine().label(), seed, number,
				testbed.lease().toMillis(), "", List.of());
		RoundContext round = new RoundContext(testbed, header, listener);
		String error = "";
		try {
			round.play(scenario);
		}
		catch (RuntimeException ex) {
			error = String.valueOf(ex);
		}
		return header.with(error, round.history.events());
	}

	private void endWatch() {
		NodeWatcher started = this.watch;
		if (started != null) {
			started.close();
		}
	}

	private void play(Scenario scenario) {
		try {
			scenario.play(this);
		}
		catch (SituationNotReachedException ex) {
			this.history.add(Kind.MISSED, "", String.valueOf(ex.getMessage()), Map.of());
		}
		finally {
			boolean stopped = Thread.currentThread().isInterrupted();
			Uninterrupted.run(this::undo);
			if (!stopped) {
				this.history.add(Kind.STORE, "store", "after the round", this.testbed.store().state(this.resource));
				this.testbed.heal();
			}
		}
	}

	private void undo() {
		try {
			this.faults.undoAll(this.history);
		}
		finally {
			endWatch();
			this.observed.keySet().forEach(ControlledClient::unobserve);
		}
	}

	public LabEngine engine() {
		return this.testbed.engine();
	}

	/** The lease that clients ask for. */
	public Duration lease() {
		return this.testbed.lease();
	}

	/** The longest wait for a state. */
	Duration bound() {
		LabSettings settings = this.testbed.settings();
		return lease().plus(settings.nodeTimeout().multipliedBy(settings.nodes())).plus(PATIENCE);
	}

	/** Tells the listener what there is so far. */
	void tellSoFar() {
		this.listener.soFar(this.header.with("", this.history.events()));
	}

	/** Decides where the schedule is free. It follows from the seed. */
	public Random random() {
		return this.random;
	}

	/** The name of the lock. Each round has another one. */
	public String resource() {
		return this.resource;
	}

	/** Clients that run in this program. */
	public List<RoundClient> clients(String... names) {
		return actors(this.testbed.local(names), List.of(all()));
	}

	/** Clients that run in processes of their own. */
	public List<RoundClient> processes(String... names) {
		return actors(this.testbed.processes(names), List.of(all()));
	}

	/**
	 * Starts a client in the place of one whose process has ended. It has links of its
	 * own and knows nothing of the former one. Waits until it can be told something. All
	 * nodes must run.
	 */
	RoundClient replace(RoundClient former) {
		ControlledClient successor = this.testbed.replace(former.client());
		List<Integer> nodes = Objects.requireNonNull(this.observed.remove(former.client()));
		this.observed.put(successor, nodes);
		successor.observe(this.resource, this.history, nodes);
		return new RoundClient(successor, this);
	}

	/** A client in this program that has only some of the nodes in its list. */
	public RoundClient client(String name, Integer... nodes) {
		return actors(List.of(this.testbed.local(name, nodes)), List.of(nodes)).get(0);
	}

	private List<RoundClient> actors(List<ControlledClient> clients, List<Integer> nodes) {
		endWatch();
		this.listener.began(this.header);
		this.history = new History(this.listener::happened);
		clients.forEach((client) -> this.observed.put(client, nodes));
		this.observed.forEach((client, numbers) -> client.observe(this.resource, this.history, numbers));
		this.watch = NodeWatcher.start(this.testbed.nodes(), this.resource, this.history);
		return clients.stream().map((client) -> new RoundClient(client, this)).toList();
	}

	/** Begins a round whose scenario plays the clients itself. */
	public void withoutClients() {
		actors(List.of(), List.of());
	}

	/** Adds an entry to the history, about a client that the scenario plays itself. */
	public void note(HistoryEvent event) {
		this.history.add(event);
	}

	/** What the lock protects. */
	public ProtectedStore store() {
		return this.testbed.store();
	}

	History history() {
		return this.history;
	}

	/** A node by its number, from 1. */
	public LabNode node(int number) {
		return this.testbed.nodes().node(number);
	}

	/** Some nodes by their numbers. */
	public List<LabNode> nodes(Integer... numbers) {
		return List.of(numbers).stream().map(this::node).toList();
	}

	/** A fault: the clock of a node jumps ahead. */
	public ClockFault clock(int node, Duration ahead, long millionths) {
		return new ClockFault(node(node), this.testbed.nodes().clock(node), ahead, millionths);
	}

	/** A fault: a node has a replica that hears nothing of what the node is told. */
	public StalledReplication stalledReplication(int node) {
		return this.testbed.stalledReplication(node);
	}

	/** Injects a fault. It is undone at the end of the round at the latest. */
	public <F extends Fault> F inject(F fault) {
		this.faults.inject(fault, this.history);
		return fault;
	}

	/** Undoes a fault now. */
	public void undo(Fault fault) {
		this.faults.undo(fault, this.history);
	}

	/** Undoes all faults. What is asked from now on tells of recovery. */
	private void heal() {
		this.history.add(Kind.HEALED, "", "all faults are undone from here on", Map.of());
		this.faults.undoAll(this.history);
	}

	/**
	 * Waits until a state comes about. If it does not within some 4 s, the round ends
	 * here as not reproduced.
	 */
	public void await(String what, BooleanSupplier state) {
		await(what, bound(), state);
	}

	/** Waits until a state comes about, with another bound. */
	public void await(String what, Duration bound, BooleanSupplier state) {
		if (!Poll.until(bound, state)) {
			throw new SituationNotReachedException(what);
		}
		note(what);
	}

	/**
	 * Ends the round as not reproduced unless the condition holds. Without it the round
	 * shows nothing.
	 */
	public void require(String what, boolean holds) {
		if (!holds) {
			throw new SituationNotReachedException(what);
		}
		note(what);
	}

	/** Adds a note about the schedule. */
	public void note(String what) {
		this.history.add(Kind.STEP, "", what, Map.of());
	}

	/** Asks all nodes what they hold, and notes the answers. */
	public List<KeyState> look(String when) {
		Map<String, String> seen = new TreeMap<>();
		List<KeyState> holdings = new ArrayList<>();
		for (LabNode node : this.testbed.nodes().all()) {
			KeyState holding = node.holding(this.resource);
			holdings.add(holding);
			seen.put(node.name(), holding.toString());
		}
		this.history.add(Kind.NODES, "", when, seen);
		return holdings;
	}

	/** Whether nobody has the lock on any of these nodes. */
	public boolean isFree(Integer... numbers) {
		return nodes(numbers).stream().allMatch((node) -> node.holding(this.resource).isFree());
	}

	/** Whether every node says that nobody has the lock. */
	public boolean isFree() {
		return this.testbed.nodes().all().stream().allMatch((node) -> node.holding(this.resource).isFree());
	}

	/** Whether all of these nodes hold the lock for somebody. */
	public boolean isHeld(Integer... numbers) {
		return nodes(numbers).stream().allMatch((node) -> node.holding(this.resource).isHeld());
	}

	/** How many nodes hold the lock for somebody. */
	public long held() {
		return this.testbed.nodes().all().stream().filter((node) -> node.holding(this.resource).isHeld()).count();
	}

	/**
	 * Lets two clients count that both believe to have the lock. The former reads. The
	 * latter reads and writes. Then the former writes. A client that was not granted the
	 * lock does nothing.
	 */
	private void countBoth(RoundClient former, RoundClient latter) {
		former.read();
		latter.read();
		latter.write();
		former.write();
	}

	/** Waits as long as a lease, by the clock of the store. */
	public void awaitLease() {
		await(lease());
	}

	/** Waits for a time, by the clock of the store. */
	public void await(Duration time) {
		this.testbed.store().startTimer(this.resource, time);
		await(time.toMillis() + " ms are over by the clock of the store",
				() -> this.testbed.store().isTimerOver(this.resource));
	}

	/**
	 * Requires that the holder may still rely on its lock. Only then would a second owner
	 * show.
	 */
	public void requireTimeLeft(RoundClient holder) {
		require("a third of " + holder.client().name() + "'s lease is left",
				holder.left().compareTo(lease().dividedBy(3)) > 0);
	}

	/** Waits until the nodes tell that half of the lease is over, or all of it. */
	public void awaitHalf() {
		long half = lease().toMillis() / 2;
		await("half of the lease is over on each node",
				() -> this.testbed.nodes()
					.all()
					.stream()
					.map((node) -> node.holding(this.resource))
					.allMatch((seen) -> seen.isFree() || seen.isHeld() && seen.millisLeft() <= half));
	}

	/**
	 * Both clients may have the lock. Lets both count, keep the lock for half a lease,
	 * and give it back.
	 */
	public void useBoth(RoundClient former, RoundClient latter) {
		look(latter.client().name() + " has its answer");
		countBoth(former, latter);
		awaitHalf();
		former.giveUp();
		latter.giveUp();
	}

	/**
	 * Undoes all faults. Then the clients try in turn until one has the lock. This is
	 * done with the engines of this library only. Redisson's own locks are still busy
	 * with what they began, so they are not asked.
	 */
	public void recover(RoundClient... actors) {
		heal();
		if (engine().isOurs()) {
			await("somebody has the lock again", () -> List.of(actors).stream().anyMatch(RoundClient::acquire));
		}
	}

	/** The numbers of all nodes. */
	public Integer[] all() {
		return others(0);
	}

	/** The numbers of all nodes but one. */
	public Integer[] others(int number) {
		return this.testbed.nodes()
			.all()
			.stream()
			.map(LabNode::number)
			.filter((other) -> other != number)
			.toArray(Integer[]::new);
	}

	/** The numbers of some nodes, chosen by the seed. */
	public Integer[] choose(int count, Integer... numbers) {
		List<Integer> all = new ArrayList<>(List.of(numbers));
		Collections.shuffle(all, this.random);
		return all.subList(0, count).stream().sorted().toArray(Integer[]::new);
	}

}
