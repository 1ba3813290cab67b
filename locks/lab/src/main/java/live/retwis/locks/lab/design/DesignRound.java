package live.retwis.locks.lab.design;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import live.retwis.locks.lab.design.DesignFault.Kind;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.RoundRecord;

/**
 * Plays one schedule of a design in simulated time: nodes, clients, the store, and the
 * messages between them.
 */
final class DesignRound {

	static final int CLIENTS = 3;

	static final long LEASE = 1_000 * DesignClock.MILLI;

	/** How long a client waits for a node. */
	static final long NODE_TIMEOUT = 50 * DesignClock.MILLI;

	/** All clients are done long before, even with all faults. */
	private static final long LONGEST = 30_000 * DesignClock.MILLI;

	/** More than the tolerance that Redlock's description has for clocks would allow. */
	private static final int FAST_MILLIONTHS = 9_000;

	private static final int NAME = 'A';

	private final DesignClock clock = new DesignClock();

	private final List<HistoryEvent> events = new ArrayList<>();

	private final Random random;

	/** Whether everything is written down, and not only what the judges look at. */
	private final boolean traced;

	private final List<DesignFault> faults;

	private final List<DesignNode> nodes;

	private final DesignStore store;

	private final List<DesignClient> clients;

	private long operations;

	private DesignRound(RedlockDesign design, long seed, List<DesignFault> faults, boolean traced) {
		this.traced = traced;
		this.random = new Random(seed);
		this.faults = faults;
		boolean fast = faults.stream().anyMatch((fault) -> fault.kind() == Kind.FAST_CLOCKS);
		this.nodes = IntStream.rangeClosed(1, design.nodes())
			.mapToObj((number) -> new DesignNode(this.clock, (fast && number > 1) ? FAST_MILLIONTHS : 0))
			.toList();
		this.store = new DesignStore(this.clock, design.fence());
		this.clients = IntStream.range(0, CLIENTS)
			.mapToObj((number) -> new DesignClient(name(number), design, this, new Random(seed * CLIENTS + number)))
			.toList();
	}

	/** Plays a schedule. The same schedule always has the same record. */
	static RoundRecord play(RedlockDesign design, long seed, List<DesignFault> faults) {
		return new DesignRound(design, seed, faults, true).play(seed);
	}

	/** The same without the messages to nodes and what nodes hold, for judges alone. */
	static RoundRecord playQuickly(RedlockDesign design, long seed, List<DesignFault> faults) {
		return new DesignRound(design, seed, faults, false).play(seed);
	}

	static String name(int client) {
		return Character.toString(NAME + client);
	}

	private RoundRecord play(long seed) {
		look();
		this.faults.forEach(this::schedule);
		this.clients.forEach((client) -> this.clock.after(millis(40), client::begin));
		this.clock.run(LONGEST);
		look();
		note(HistoryEvent.Kind.STORE, "", "", 0, this.store.state());
		return new RoundRecord("design", "design", seed, 1, LEASE / DesignClock.MILLI, "", this.events);
	}

	DesignClock clock() {
		return this.clock;
	}

	/** A random time of up to so many milliseconds. */
	private long millis(int most) {
		return (long) (this.random.nextDouble() * most * DesignClock.MILLI);
	}

	/** A message takes a tenth of a millisecond to a whole one. */
	private long way() {
		return (long) ((0.1 + 0.9 * this.random.nextDouble()) * DesignClock.MILLI);
	}

	long nextOperation() {
		return ++this.operations;
	}

	void note(HistoryEvent.Kind kind, String subject, String name, long operation, Map<String, String> details) {
		this.events.add(new HistoryEvent(this.clock.now(), kind, subject, name, operation, details));
	}

	private void look() {
		if (!this.traced) {
			return;
		}
		Map<String, String> seen = new TreeMap<>();
		for (int number = 1; number <= this.nodes.size(); number++) {
			DesignNode node = this.nodes.get(number - 1);
			seen.put("node " + number, node.isUp() ? node.holding() : "silent");
			seen.put("node " + number + " state", node.isUp() ? "up" : "gone");
		}
		note(HistoryEvent.Kind.NODES, "", "seen", 0, seen);
	}

	private void schedule(DesignFault fault) {
		long at = fault.at() * DesignClock.MILLI;
		long until = at + fault.millis() * DesignClock.MILLI;
		switch (fault.kind()) {
			case PAUSE -> this.clock.at(at, () -> pause(fault));
			case CRASH -> {
				this.clock.at(at, () -> crash(fault.node(), false));
				this.clock.at(until, () -> crash(fault.node(), true));
			}
			case CLOCK_SET_BACK -> this.clock.at(at, () -> {
				this.clients.get(fault.client()).setBack(fault.millis() * DesignClock.MILLI);
				inject(name(fault.client()), "clock set back by " + fault.millis() + " ms");
			});
			case SLOW_COMMANDS -> band(fault, at, until, "commands delayed by " + fault.millis() + " ms");
			case SLOW_ANSWERS -> band(fault, at, until, "replies held");
			case LOST_COMMANDS -> band(fault, at, until, "commands lost");
			case FAST_CLOCKS -> IntStream.rangeClosed(2, this.nodes.size())
				.forEach((number) -> inject("node " + number, "clock fast by " + FAST_MILLIONTHS + " millionths"));
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

	private void band(DesignFault fault, long at, long until, String name) {
		String subject = name(fault.client()) + " to node " + fault.node();
		this.clock.at(at, () -> inject(subject, name));
		this.clock.at(until, () -> undo(subject, name));
	}

	private void pause(DesignFault fault) {
		DesignClient client = this.clients.get(fault.client());
		client.pause(fault.millis() * DesignClock.MILLI);
		inject(client.name(), "stopped");
		this.clock.after(fault.millis() * DesignClock.MILLI, () -> undo(client.name(), "stopped"));
	}

	/** Pauses the client here, the first time it comes here, if a fault says so. */
	void pauseAt(DesignClient client, Kind place) {
		this.faults.stream()
			.filter((fault) -> fault.kind() == place && name(fault.client()).equals(client.name())
					&& client.isFirstAt(place))
			.findFirst()
			.ifPresent(this::pause);
	}

	private void crash(int number, boolean up) {
		this.nodes.get(number - 1).up(up);
		if (up) {
			undo("node " + number, "crashed");
		}
		else {
			inject("node " + number, "crashed");
		}
		look();
	}

	private boolean strikes(Kind kind, DesignClient client, int node) {
		return delay(kind, client, node) > 0;
	}

	/** The greatest amount of such a fault on this link now; 0 for none. */
	private long delay(Kind kind, DesignClient client, int node) {
		long now = this.clock.now() / DesignClock.MILLI;
		return this.faults.stream()
			.filter((fault) -> fault.kind() == kind && fault.node() == node
					&& name(fault.client()).equals(client.name()) && fault.at() <= now
					&& now < fault.at() + fault.millis())
			.mapToLong((fault) -> fault.millis() * DesignClock.MILLI)
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
		this.clock.after(way() + delay(Kind.SLOW_COMMANDS, client, node), () -> {
			if (!this.nodes.get(node - 1).isUp()) {
				return;
			}
			boolean yes = command.getAsBoolean();
			look();
			this.clock.after(way() + delay(Kind.SLOW_ANSWERS, client, node), () -> client.awake(() -> {
				note(HistoryEvent.Kind.ANSWERED, client.name(), label, exchange,
						Map.of("node", Integer.toString(node), "reply", yes ? "1" : "0", "says", yes ? "yes" : "no"));
				answer.accept(yes);
			}));
		});
	}

	DesignNode node(int number) {
		return this.nodes.get(number - 1);
	}

	/** Asks the store. Nothing happens to messages to and from it. */
	void askStore(DesignClient client, Consumer<DesignStore> work, Runnable answered) {
		this.clock.after(way(), () -> {
			work.accept(this.store);
			this.clock.after(way(), () -> client.awake(answered));
		});
	}

}
