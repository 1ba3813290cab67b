package live.retwis.locks.lab.scenario;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.check.Liveness;
import live.retwis.locks.lab.check.Safety;
import live.retwis.locks.lab.client.Operation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.CrashedNode;
import live.retwis.locks.lab.fault.CutLinks;
import live.retwis.locks.lab.fault.Fault;
import live.retwis.locks.lab.fault.FlushedNodes;
import live.retwis.locks.lab.fault.LinkFault;
import live.retwis.locks.lab.fault.PausedNode;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;
import live.retwis.locks.lab.play.ScenarioDescription.Need;
import live.retwis.locks.nodes.Poll;

/**
 * Scenarios 12a and 12b.
 */
final class RandomWalkScenario implements Scenario {

	/** How often each client is given something to do. */
	private static final int TURNS = 60;

	/** The most faults at a time. With more, nobody would get the lock. */
	private static final int FAULTS = 2;

	/** How long RedissonRedLock tries again what a fault has interrupted. */
	private static final Duration PATIENT = Duration.ofSeconds(15);

	/** How often the faults are undone to help an engine that waits for long. */
	private static final int HELPS = 2;

	private final ScenarioDescription scenarioDescription;

	private final int kinds;

	private RandomWalkScenario(ScenarioDescription scenarioDescription, int kinds) {
		this.scenarioDescription = scenarioDescription;
		this.kinds = kinds;
	}

	static RandomWalkScenario withinTheModel() {
		return new RandomWalkScenario(ScenarioDescription
			.of("12a", "random-walk", "faults that Redlock is made for, at random",
					"""
							Three clients count under the lock, while the seed lets nodes stand still, crash (with every write on \
							disk) and come back, and lets links be slow, break, hold answers and lose releases. These are the \
							faults that Redlock promises to bear: no two owners, no increment lost. Salvatore Sanfilippo asked for \
							such a test when he answered the objections to it. RedissonRedLock with its default settings is held \
							up for seconds by the first fault that it meets; all faults are undone then, twice at most, and what \
							it makes of it is shown and not judged.""")
			.citing(FurtherReading.SANFILIPPO)
			.needing(Need.DURABLE_NODES)
			.expectOurs(Expectation.SAFE)
			.expect(Expectation.SHOWN, LabEngine.RAW), 6);
	}

	static RandomWalkScenario withAllFaults() {
		Expectation counted = new Expectation(null, Safety.SAFE, Liveness.ACQUIRED);
		return new RandomWalkScenario(ScenarioDescription.of("12b", "wild-walk", "all faults, at random", """
				As in 12a, but nodes forget everything in a crash, are emptied, and their clocks jump. Two owners at a \
				time are then possible with any Redlock, and are not judged. Martin Kleppmann's point is that what has \
				to be right must not depend on that: what is judged is that the protected store, with the owner noted \
				in it, loses no increment all the same. RedissonRedLock is shown, as in 12a.""")
			.citing(FurtherReading.KLEPPMANN)
			.needing(Need.CLOCKS)
			.expectOurs(counted)
			.expect(Expectation.SHOWN, LabEngine.RAW), 8);
	}

	@Override
	public ScenarioDescription about() {
		return this.scenarioDescription;
	}

	@Override
	public void play(RoundContext round) {
		List<RoundClient> clients = round.clients("A", "B", "C");
		Deque<Fault> faults = new ArrayDeque<>();
		int helped = 0;
		for (int turn = 0; turn < TURNS && helped <= HELPS; turn++) {
			clients.forEach(RandomWalkScenario::goOn);
			stumble(round, clients, faults);
			if (!round.engine().isOurs() && !Poll.until(round.lease(), () -> areDone(clients))) {
				helped++;
				round.note("somebody is held up, and all faults are undone");
				faults.forEach(round::undo);
				faults.clear();
			}
			round.await("all are done", PATIENT, () -> areDone(clients));
		}
	}

	private static boolean areDone(List<RoundClient> clients) {
		return clients.stream().allMatch((roundClient) -> roundClient.client().isIdle());
	}

	private static void goOn(RoundClient roundClient) {
		if (roundClient.isHolder()) {
			roundClient.begin(Operation.READ);
			roundClient.begin(Operation.WRITE);
			roundClient.begin(Operation.RELEASE);
		}
		else {
			roundClient.tryAcquire();
		}
	}

	/** Adds or undoes a fault now and then. */
	private void stumble(RoundContext round, List<RoundClient> clients, Deque<Fault> faults) {
		int dice = round.random().nextInt(6);
		if (dice == 0 && faults.size() < FAULTS) {
			faults.add(round.inject(fault(round, clients)));
		}
		else if (dice == 1 && !faults.isEmpty()) {
			round.undo(faults.remove());
		}
	}

	private Fault fault(RoundContext round, List<RoundClient> clients) {
		Random random = round.random();
		RoundClient roundClient = clients.get(random.nextInt(clients.size()));
		Integer[] some = round.choose(1 + random.nextInt(3), 1, 2, 3, 4, 5);
		// Each kind of fault has nodes of its own, because two faults of one node would
		// undo each other.
		return switch (random.nextInt(this.kinds)) {
			case 0 -> new PausedNode(round.node(1));
			case 1 -> new CrashedNode(round.node(3 + random.nextInt(3)));
			case 2 -> new CutLinks(roundClient.client(), some);
			case 3 -> LinkFault.delay(roundClient.client(), Duration.ofMillis(20 + random.nextInt(130)), some);
			case 4 -> LinkFault.holdReplies(roundClient.client(), LinkFault.ACQUIRE, some);
			case 5 -> LinkFault.loseCommands(roundClient.client(), LinkFault.RELEASE, some);
			case 6 -> new FlushedNodes(round.nodes(2), round.resource());
			default -> round.clock(2, Duration.ofSeconds(5), 0);
		};
	}

}
