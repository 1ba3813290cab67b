package live.retwis.locks.lab.play;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.node.NodeClock;
import live.retwis.locks.lab.play.ScenarioDescription.Need;
import live.retwis.locks.nodes.Poll;
import org.jspecify.annotations.Nullable;

/**
 * Clients contend for one lock while people do things to the nodes. It lasts until it is
 * stopped, 3 minutes at most. What people do heals by itself. It is played once.
 */
public final class FreePlay implements Scenario {

	/** Its number, which no other scenario has. */
	public static final String NUMBER = "free";

	private static final Duration LONGEST = Duration.ofMinutes(3);

	private static final Duration STEP = Duration.ofMillis(10);

	private static final Duration TELLING = Duration.ofSeconds(1);

	/** The most actions that may wait. Nobody asks for more by hand. */
	private static final int WAITING = 20;

	private final BlockingQueue<ManualAction> asked = new LinkedBlockingQueue<>(WAITING);

	private final Duration lasting;

	private volatile boolean stopped;

	/** A play whose faults heal after 10 s. */
	public FreePlay() {
		this(Duration.ofSeconds(10));
	}

	/**
	 * A play whose faults heal by themselves.
	 * @param lasting how long a fault lasts
	 */
	public FreePlay(Duration lasting) {
		this.lasting = lasting;
	}

	/**
	 * Asks for something to be done to a node. May be called by any thread.
	 * @return false when it will not be done, because too many actions wait already
	 */
	public boolean act(ManualAction action) {
		return this.asked.offer(action);
	}

	/** Ends the play. May be called by any thread. What was found is judged. */
	public void stop() {
		this.stopped = true;
	}

	@Override
	public ScenarioDescription about() {
		ScenarioDescription scenarioDescription = ScenarioDescription
			.of(NUMBER, "free-play", "three clients contend for the lock while you break things",
					"""
							Three clients want the lock again and again; who has it adds one to a counter, keeps the lock for a \
							while and gives it back. Kill nodes, pause them, cut them off, set their clocks or empty them, and see \
							what becomes of the lock. Each fault heals by itself. Nothing is to be expected: \
							what you find is shown.""")
			.needing(Need.DURABLE_NODES)
			.withAnyNodes()
			.expect(Expectation.SHOWN, LabEngine.values());
		return NodeClock.isPossible() ? scenarioDescription.needing(Need.CLOCKS) : scenarioDescription;
	}

	@Override
	public void play(Round round) {
		List<Contender> contenders = round.clients("A", "B", "C")
			.stream()
			.map((actor) -> new Contender(actor, round.random(), round.lease()))
			.toList();
		ManualFaults manualFaults = new ManualFaults(round, contenders.stream().map(Contender::actor).toList(),
				this.lasting);
		long end = System.nanoTime() + LONGEST.toNanos();
		long told = System.nanoTime();
		while (!this.stopped && System.nanoTime() < end) {
			ManualAction action = next();
			if (action != null) {
				manualFaults.act(action);
			}
			manualFaults.heal();
			contenders.forEach(Contender::step);
			if (System.nanoTime() - told >= TELLING.toNanos()) {
				round.tellSoFar();
				told = System.nanoTime();
			}
		}
		manualFaults.healAll();
		Poll.until(round.bound(), () -> contenders.stream().allMatch((one) -> one.actor().client().isIdle()));
	}

	private @Nullable ManualAction next() {
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
