package live.retwis.locks.lab.play;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.node.SettableNodeClock;
import live.retwis.locks.lab.play.ScenarioDescription.Need;
import live.retwis.locks.nodes.Poll;
import org.jspecify.annotations.Nullable;

/**
 * Clients contend for one lock while people do things to nodes and clients. Or the
 * clients do only what people tell them. It lasts until it is stopped, 3 minutes at most.
 * What people do heals by itself, unless they want it kept. It is played once.
 */
public final class FreePlay implements Scenario {

	/** The names of its clients. */
	public static final List<String> CLIENTS = List.of("A", "B", "C");

	/** Its number, which no other scenario has. */
	public static final String NUMBER = "free";

	private static final Duration LONGEST = Duration.ofMinutes(3);

	private static final Duration STEP = Duration.ofMillis(10);

	private static final Duration TELLING = Duration.ofSeconds(1);

	/** The most actions that may wait. Nobody asks for more by hand. */
	private static final int WAITING = 20;

	private final BlockingQueue<FreePlayAction> asked = new LinkedBlockingQueue<>(WAITING);

	private final Duration lasting;

	private final boolean byHand;

	private volatile boolean stopped;

	/**
	 * A play whose faults heal after 10 s.
	 * @param byHand whether the clients do only what they are told
	 */
	public FreePlay(boolean byHand) {
		this(Duration.ofSeconds(10), byHand);
	}

	/**
	 * A play whose faults heal by themselves.
	 * @param lasting how long a fault lasts
	 * @param byHand whether the clients do only what they are told
	 */
	public FreePlay(Duration lasting, boolean byHand) {
		this.lasting = lasting;
		this.byHand = byHand;
	}

	/**
	 * Asks for something to be done to a node or to a client. May be called by any
	 * thread.
	 * @return false when it will not be done, because too many actions wait already
	 */
	public boolean act(FreePlayAction action) {
		return this.asked.offer(action);
	}

	/** Whether the clients do only what they are told. */
	public boolean isByHand() {
		return this.byHand;
	}

	/** Ends the play. May be called by any thread. What was found is judged. */
	public void stop() {
		this.stopped = true;
	}

	@Override
	public ScenarioDescription about() {
		ScenarioDescription scenarioDescription = ScenarioDescription.of(NUMBER, "free-play",
				"three clients contend for the lock while you break things",
				"""
						Three clients want the lock again and again; who has it adds one to a counter, keeps the lock for a \
						while and gives it back. Kill nodes, pause them, cut them off, set their clocks or empty them, and see \
						what becomes of the lock. Pause and kill the clients too, each of which is a process. Or let the \
						clients do nothing by themselves, and tell each when to try for the lock, to write and to give back. \
						Each fault heals by itself, unless you keep it. Nothing is to be expected: what you find is shown.""")
			.needing(Need.DURABLE_NODES)
			.withAnyNodes()
			.expect(Expectation.SHOWN, LabEngine.compared());
		return SettableNodeClock.isPossible() ? scenarioDescription.needing(Need.CLOCKS) : scenarioDescription;
	}

	@Override
	public void play(RoundContext round) {
		FreePlayClients clients = new FreePlayClients(round,
				this.byHand ? ObedientClient::new : (actor) -> new Contender(actor, round.random(), round.lease()),
				this.lasting);
		ManualFaults manualFaults = clients.nodes();
		long end = System.nanoTime() + LONGEST.toNanos();
		long told = System.nanoTime();
		while (!this.stopped && System.nanoTime() < end) {
			FreePlayAction action = next();
			if (action instanceof NodeAction onNode) {
				manualFaults.act(onNode);
			}
			else if (action instanceof ClientAction onClient) {
				clients.act(onClient);
			}
			manualFaults.heal();
			clients.heal();
			clients.step();
			if (System.nanoTime() - told >= TELLING.toNanos()) {
				round.tellSoFar();
				told = System.nanoTime();
			}
		}
		manualFaults.healAll();
		clients.resumeAll();
		Poll.until(round.bound(), clients::areIdle);
	}

	private @Nullable FreePlayAction next() {
		try {
			return this.asked.poll(STEP.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			this.stopped = true;
			return null;
		}
	}

}
