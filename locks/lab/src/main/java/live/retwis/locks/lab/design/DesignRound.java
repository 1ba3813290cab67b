package live.retwis.locks.lab.design;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import live.retwis.locks.lab.design.ScheduledFault.Kind;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.RoundRecord;

/**
 * Plays one schedule of a design: the clients, and the messages between them and the
 * nodes and the store.
 */
final class DesignRound {

	static final int CLIENTS = 3;

	static final long LEASE = 1_000 * DesignScheduler.MILLI;

	/** How long a client waits for a node. */
	static final long NODE_TIMEOUT = 50 * DesignScheduler.MILLI;

	/** All clients are done long before, even with all faults. */
	private static final long LONGEST = 30_000 * DesignScheduler.MILLI;

	private static final int NAME = 'A';

	/** The name in histories of the command that takes the key. */
	static final String TAKE = "take";

	/** The name in histories of the command that gives it back. */
	static final String RELEASE = "release";

	private final Random random;

	/** Whether everything is written down, and not only what the checkers look at. */
	private final boolean traced;

	private final List<ScheduledFault> faults;

	private final DesignWorld world;

	private final RedlockDesign design;

	private final List<DesignClient> clients;

	private long operations;

	private DesignRound(RedlockDesign design, long seed, List<ScheduledFault> faults, DesignWorld world,
			boolean traced) {
		this.design = design;
		this.world = world;
		this.traced = traced;
		this.random = new Random(seed);
		this.faults = faults;
		this.clients = IntStream.range(0, CLIENTS)
			.mapToObj((number) -> new DesignClient(name(number), design, this, new Random(seed * CLIENTS + number)))
			.toList();
	}

	/** Plays a schedule. The same schedule always has the same record. */
	static RoundRecord play(RedlockDesign design, long seed, List<ScheduledFault> faults) {
		return simulate(design, seed, faults, new DesignScheduler(), true);
	}

	/**
	 * The same without the messages to nodes and what nodes hold, for checkers alone.
	 * @param clock exact, or a little late
	 */
	static RoundRecord playQuickly(RedlockDesign design, long seed, List<ScheduledFault> faults,
			DesignScheduler clock) {
		return simulate(design, seed, faults, clock, false);
	}

	private static RoundRecord simulate(RedlockDesign design, long seed, List<ScheduledFault> faults,
			DesignScheduler clock, boolean traced) {
		SimulatedWorld simulated = new SimulatedWorld(design, clock, traced);
		new DesignRound(design, seed, faults, simulated, traced).play();
		return new RoundRecord("design", "design", seed, 1, LEASE / DesignScheduler.MILLI, "", simulated.events());
	}

	/** Plays a schedule on another world. What happens is in its history. */
	static void play(RedlockDesign design, long seed, List<ScheduledFault> faults, DesignWorld world) {
		new DesignRound(design, seed, faults, world, true).play();
	}

	static String name(int client) {
		return Character.toString(NAME + client);
	}

	private void play() {
		this.world.look();
		this.faults.forEach(this::schedule);
		this.clients.forEach((client) -> clock().after(millis(40), client::begin));
		clock().run(LONGEST);
		this.world.look();
	}

	DesignScheduler clock() {
		return this.world.clock();
	}

	/** A random time of up to so many milliseconds. */
	private long millis(int most) {
		return (long) (this.random.nextDouble() * most * DesignScheduler.MILLI);
	}

	/** A message takes a tenth of a millisecond to a whole one. */
	private long way() {
		return (long) ((0.1 + 0.9 * this.random.nextDouble()) * DesignScheduler.MILLI);
	}

	long nextOperation() {
		return ++this.operations;
	}

	void note(HistoryEvent.Kind kind, String subject, String name, long operation, Map<String, String> details) {
		this.world.add(new HistoryEvent(clock().stamp(clock().read()), kind, subject, name, operation, details));
	}

	private void schedule(ScheduledFault fault) {
		long at = fault.at() * DesignScheduler.MILLI;
		long until = at + fault.millis() * DesignScheduler.MILLI;
		switch (fault.kind()) {
			case PAUSE -> clock().at(at, () -> pause(fault));
			case CRASH -> {
				clock().at(at, () -> this.world.crash(fault.node()));
				clock().at(until, () -> this.world.restart(fault.node()));
			}
			case CLOCK_SET_BACK -> clock().at(at, () -> {
				this.clients.get(fault.client()).setBack(fault.millis() * DesignScheduler.MILLI);
				inject(name(fault.client()), "clock set back by " + fault.millis() + " ms");
			});
			case SLOW_COMMANDS -> band(fault, at, until, "commands delayed by " + fault.millis() + " ms");
			case SLOW_ANSWERS -> band(fault, at, until, "replies held");
			case LOST_COMMANDS -> band(fault, at, until, "commands lost");
			case FAST_CLOCKS -> IntStream.rangeClosed(2, this.design.nodes()).forEach(this.world::hasten);
			case PAUSE_BEFORE_RETURN, PAUSE_BEFORE_WRITE -> {
				// The client asks for it, by pauseAt.
			}
		}
	}

	private void inject(String subject, String name) {
		note(HistoryEvent.Kind.INJECT, subject, name, 0, Map.of());
	}

	private void undo(String subject, String name) {
		note(HistoryEvent.Kind.UNDO, subject, name, 0, Map.of());
	}

	private void band(ScheduledFault fault, long at, long until, String name) {
		String subject = name(fault.client()) + " to node " + fault.node();
		clock().at(at, () -> inject(subject, name));
		clock().at(until, () -> undo(subject, name));
	}

	private void pause(ScheduledFault fault) {
		DesignClient client = this.clients.get(fault.client());
		client.pause(fault.millis() * DesignScheduler.MILLI);
		inject(client.name(), "stopped");
		clock().after(fault.millis() * DesignScheduler.MILLI, () -> undo(client.name(), "stopped"));
	}

	/** Pauses the client here, the first time it comes here, if a fault says so. */
	void pauseAt(DesignClient client, Kind place) {
		this.faults.stream()
			.filter((fault) -> fault.kind() == place && name(fault.client()).equals(client.name())
					&& client.isFirstAt(place))
			.findFirst()
			.ifPresent(this::pause);
	}

	private boolean strikes(Kind kind, DesignClient client, int node) {
		return delay(kind, client, node) > 0;
	}

	/** The greatest amount of such a fault on this link now; 0 for none. */
	private long delay(Kind kind, DesignClient client, int node) {
		long now = clock().now() / DesignScheduler.MILLI;
		return this.faults.stream()
			.filter((fault) -> fault.kind() == kind && fault.node() == node
					&& name(fault.client()).equals(client.name()) && fault.at() <= now
					&& now < fault.at() + fault.millis())
			.mapToLong((fault) -> fault.millis() * DesignScheduler.MILLI)
			.max()
			.orElse(0);
	}

	/**
	 * Sends a command to a node.
	 * @param node its number
	 * @param label the command's name in histories
	 * @param text the command as it is sent
	 * @param answer gets the answer, unless it is lost
	 */
	void send(DesignClient client, int node, String label, String owner, String text, BooleanSupplier command,
			Consumer<Boolean> answer) {
		long exchange = nextOperation();
		if (this.traced) {
			note(HistoryEvent.Kind.ASKED, client.name(), label, exchange,
					Map.of("node", Integer.toString(node), "owner", owner, "sent", text));
		}
		if (strikes(Kind.LOST_COMMANDS, client, node)) {
			return;
		}
		clock().after(way() + delay(Kind.SLOW_COMMANDS, client, node), () -> {
			if (!this.world.node(node).isUp()) {
				return;
			}
			boolean deletes = label.equals(RELEASE) && this.design.release() == RedlockDesign.Release.ANY_KEY;
			// A real node takes time to say it, so only a DEL that may be wrong is asked
			// about.
			String holder = (this.traced && deletes) ? this.world.node(node).holder() : "";
			boolean yes = command.getAsBoolean();
			Map<String, String> details = new HashMap<>();
			if (yes && !holder.isEmpty()) {
				details.put(HistoryEvent.DELETED_OF, holder);
			}
			this.world.look();
			details
				.putAll(Map.of("node", Integer.toString(node), "reply", reply(label, yes), "says", yes ? "yes" : "no"));
			clock().after(way() + delay(Kind.SLOW_ANSWERS, client, node), () -> client.awake(() -> {
				note(HistoryEvent.Kind.ANSWERED, client.name(), label, exchange, details);
				answer.accept(yes);
			}));
		});
	}

	/** What Redis replies. */
	private static String reply(String label, boolean yes) {
		return label.equals(TAKE) ? (yes ? "OK" : "nil") : (yes ? "1" : "0");
	}

	DesignNode node(int number) {
		return this.world.node(number);
	}

	/** Asks the store. Nothing happens to messages to and from it. */
	void askStore(DesignClient client, Consumer<FencedCounter> work, Runnable answered) {
		clock().after(way(), () -> {
			work.accept(this.world.store());
			clock().after(way(), () -> client.awake(answered));
		});
	}

}
