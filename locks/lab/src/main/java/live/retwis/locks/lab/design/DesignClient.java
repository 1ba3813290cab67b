package live.retwis.locks.lab.design;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import live.retwis.locks.lab.design.RedlockDesign.Clock;
import live.retwis.locks.lab.design.RedlockDesign.Order;
import live.retwis.locks.lab.design.RedlockDesign.Release;
import live.retwis.locks.lab.design.RedlockDesign.Vote;
import live.retwis.locks.lab.design.ScheduledFault.Kind;
import live.retwis.locks.lab.history.HistoryEvent;

/**
 * A simulated client. It tries for the lock until it has it, reads the counter, works,
 * writes the next number and gives the lock back.
 */
final class DesignClient {

	/** Tries of a client. Then it gives up. */
	private static final int TRIES = 100;

	/** Longest work, in ms. */
	private static final int WORK = 400;

	/** Longest pause between two tries, in ms. */
	private static final int PAUSE = 150;

	private static final long ROUNDING = 2 * DesignScheduler.MILLI;

	private final String name;

	private final RedlockDesign design;

	private final DesignRound round;

	private final Random random;

	private final Set<Kind> visited = EnumSet.noneOf(Kind.class);

	private int tries;

	private long asleepUntil;

	private long setBack;

	DesignClient(String name, RedlockDesign design, DesignRound round, Random random) {
		this.name = name;
		this.design = design;
		this.round = round;
		this.random = random;
	}

	String name() {
		return this.name;
	}

	void pause(long nanos) {
		this.asleepUntil = Math.max(this.asleepUntil, this.round.clock().now() + nanos);
	}

	void setBack(long nanos) {
		this.setBack += nanos;
	}

	boolean isFirstAt(Kind place) {
		return this.visited.add(place);
	}

	/** Does something as soon as the process is not paused. */
	void awake(Runnable work) {
		if (this.asleepUntil > this.round.clock().now()) {
			this.round.clock().at(this.asleepUntil, () -> awake(work));
		}
		else {
			work.run();
		}
	}

	private void later(int millis, Runnable work) {
		this.round.clock().after((long) (this.random.nextDouble() * millis * DesignScheduler.MILLI), () -> awake(work));
	}

	private DesignScheduler clock() {
		return this.round.clock();
	}

	/** The lease, as long as it lasts on the nodes. */
	private long lease() {
		return clock().lasting(DesignRound.LEASE);
	}

	/** What the design subtracts for clocks that differ. */
	private long drift() {
		return this.design.allowsForDrift() ? DesignRound.LEASE / 100 + ROUNDING : 0;
	}

	/** The time by the clock that the design reads. */
	private long now() {
		return this.round.clock().read() - ((this.design.clock() == Clock.WALL) ? this.setBack : 0);
	}

	void begin() {
		if (this.tries++ < TRIES) {
			new Attempt().begin();
		}
	}

	/** One try, with an owner of its own. */
	private final class Attempt {

		private final String owner = DesignClient.this.name + DesignClient.this.tries;

		private final long operation = DesignClient.this.round.nextOperation();

		private long since;

		private long validity;

		private long token;

		private long read;

		/** When the store did what was asked of it last. */
		private long storedAt;

		private void note(HistoryEvent.Kind kind, String what, long number, Map<String, String> details) {
			Map<String, String> all = new HashMap<>(details);
			all.put("owner", this.owner);
			DesignClient.this.round.note(kind, DesignClient.this.name, what, number, all);
		}

		void begin() {
			RedlockDesign design = DesignClient.this.design;
			note(HistoryEvent.Kind.INVOKE, "acquire", this.operation,
					Map.of(HistoryEvent.KNOWN_AS, this.owner, HistoryEvent.QUORUM, Integer.toString(design.quorum()),
							HistoryEvent.TIMED, Boolean.toString(design.checksValidity()), HistoryEvent.DRIFT,
							Long.toString(clock().lasting(drift())), HistoryEvent.HEEDS_SECOND,
							Boolean.toString(design.vote() == Vote.SECOND_LOOK)));
			this.since = now();
			List<Integer> all = IntStream.rangeClosed(1, DesignClient.this.design.nodes()).boxed().toList();
			ask(all, DesignClient.this.design.order(), this::take, this::taken);
		}

		/** Asks nodes, and goes on with those that said yes in time. */
		private void ask(List<Integer> nodes, Order order, Question question, Consumer<List<Integer>> then) {
			new NodePoll(nodes, order, question, then).begin();
		}

		private void take(int node, Consumer<Boolean> answer) {
			send(node, DesignRound.TAKE, "SET lock:name " + this.owner + " NX PX " + lease() / DesignScheduler.MILLI,
					() -> DesignClient.this.round.node(node).take(this.owner, lease()), answer);
		}

		private void confirm(int node, Consumer<Boolean> answer) {
			send(node, "confirm", "{get, pexpire} lock:name " + this.owner + " " + lease() / DesignScheduler.MILLI,
					() -> DesignClient.this.round.node(node).confirm(this.owner, lease()), answer);
		}

		private void expire(int node) {
			send(node, "expire", "PEXPIRE lock:name " + lease() / DesignScheduler.MILLI,
					() -> DesignClient.this.round.node(node).expire(lease()), (answer) -> {
					});
		}

		private void send(int node, String label, String text, BooleanSupplier command, Consumer<Boolean> answer) {
			DesignClient.this.round.send(DesignClient.this, node, label, this.owner, text, command, answer);
		}

		private void taken(List<Integer> yes) {
			DesignClient.this.round.pauseAt(DesignClient.this, Kind.PAUSE_BEFORE_RETURN);
			awake(() -> {
				if (yes.size() < DesignClient.this.design.quorum()) {
					refused();
				}
				else if (DesignClient.this.design.vote() == Vote.SECOND_LOOK) {
					this.since = now();
					ask(yes, Order.ALL_AT_ONCE, this::confirm, this::voted);
				}
				else {
					if (DesignClient.this.design.vote() == Vote.BLIND_RENEWAL) {
						this.since = now();
						yes.forEach(this::expire);
					}
					voted(yes);
				}
			});
		}

		private void voted(List<Integer> votes) {
			this.validity = DesignRound.LEASE - (now() - this.since) - drift();
			boolean late = DesignClient.this.design.checksValidity() && this.validity <= 0;
			if (votes.size() < DesignClient.this.design.quorum() || late) {
				refused();
				return;
			}
			Map<String, String> grant = DesignClient.this.design.checksValidity()
					? Map.of("outcome", "acquired", HistoryEvent.UNTIL,
							Long.toString(clock().stamp(clock().read() + this.validity)))
					: Map.of("outcome", "acquired");
			note(HistoryEvent.Kind.RETURN, "acquire", this.operation, grant);
			this.since = now();
			use();
		}

		private void refused() {
			note(HistoryEvent.Kind.RETURN, "acquire", this.operation, Map.of("outcome", "taken"));
			release((answers) -> later(PAUSE, DesignClient.this::begin));
		}

		/** Whether the rest of the lease is over, where the design looks at that. */
		private boolean isOver() {
			return DesignClient.this.design.checksValidity() && now() - this.since >= this.validity;
		}

		private void use() {
			long reading = DesignClient.this.round.nextOperation();
			note(HistoryEvent.Kind.INVOKE, "read", reading, Map.of());
			askStore((store) -> {
				this.token = store.claim(this.owner,
						DesignClient.this.design.checksValidity() ? clock().lasting(this.validity) : lease());
				this.read = store.read();
			}, () -> {
				note(HistoryEvent.Kind.RETURN, "read", reading,
						Map.of("outcome", "done", "value", Long.toString(this.read), "fence",
								DesignClient.this.design.fence().condition(this.token).toString(),
								HistoryEvent.STORED_AT, Long.toString(this.storedAt)));
				later(WORK, this::write);
			});
		}

		private void askStore(Consumer<FencedCounter> work, Runnable answered) {
			DesignClient.this.round.askStore(DesignClient.this, (store) -> {
				this.storedAt = clock().stamp(clock().read());
				work.accept(store);
			}, answered);
		}

		private void write() {
			if (isOver()) {
				end();
				return;
			}
			DesignClient.this.round.pauseAt(DesignClient.this, Kind.PAUSE_BEFORE_WRITE);
			awake(() -> {
				long writing = DesignClient.this.round.nextOperation();
				Map<String, String> what = Map.of("value", Long.toString(this.read + 1));
				note(HistoryEvent.Kind.INVOKE, "write", writing, what);
				boolean[] written = new boolean[1];
				askStore((store) -> written[0] = store.write(this.owner, this.token, this.read + 1), () -> {
					Map<String, String> how = new HashMap<>(what);
					how.put("outcome", written[0] ? "written" : "refused");
					how.put(HistoryEvent.STORED_AT, Long.toString(this.storedAt));
					how.put("fence", DesignClient.this.design.fence().condition(this.token).toString());
					note(HistoryEvent.Kind.RETURN, "write", writing, how);
					end();
				});
			});
		}

		private void end() {
			long releasing = DesignClient.this.round.nextOperation();
			note(HistoryEvent.Kind.INVOKE, "release", releasing, Map.of());
			release((answers) -> note(HistoryEvent.Kind.RETURN, "release", releasing, Map.of("outcome", "done")));
		}

		private void release(Consumer<List<Integer>> then) {
			boolean any = DesignClient.this.design.release() == Release.ANY_KEY;
			String text = any ? "DEL lock:name" : "{get, del} lock:name " + this.owner;
			List<Integer> all = IntStream.rangeClosed(1, DesignClient.this.design.nodes()).boxed().toList();
			ask(all, Order.ALL_AT_ONCE, (node, answer) -> send(node, DesignRound.RELEASE, text,
					() -> DesignClient.this.round.node(node).release(this.owner, any), answer), then);
		}

	}

	/** Asks one node. */
	private interface Question {

		void ask(int node, Consumer<Boolean> answer);

	}

	/** A question to several nodes. An answer after the time-out does not count. */
	private final class NodePoll {

		private final List<Integer> nodes;

		private final Order order;

		private final Question question;

		private final Consumer<List<Integer>> then;

		private final List<Integer> yes = new ArrayList<>();

		private int answered;

		NodePoll(List<Integer> nodes, Order order, Question question, Consumer<List<Integer>> then) {
			this.nodes = nodes;
			this.order = order;
			this.question = question;
			this.then = then;
		}

		void begin() {
			if (this.order == Order.ALL_AT_ONCE) {
				List.copyOf(this.nodes).forEach(this::ask);
			}
			else {
				ask(this.nodes.get(0));
			}
		}

		private void ask(int node) {
			boolean[] over = new boolean[1];
			this.question.ask(node, (yes) -> answer(over, node, yes));
			DesignClient.this.round.clock()
				.after(DesignRound.NODE_TIMEOUT, () -> awake(() -> answer(over, node, false)));
		}

		private void answer(boolean[] over, int node, boolean says) {
			if (over[0]) {
				return;
			}
			over[0] = true;
			if (says) {
				this.yes.add(node);
			}
			this.answered++;
			if (this.answered == this.nodes.size()) {
				this.then.accept(this.yes);
			}
			else if (this.order == Order.ONE_BY_ONE) {
				ask(this.nodes.get(this.answered));
			}
		}

	}

}
