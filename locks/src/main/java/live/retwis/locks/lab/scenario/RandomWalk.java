package live.retwis.locks.lab.scenario;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.check.Progress;
import live.retwis.locks.lab.check.Safety;
import live.retwis.locks.lab.client.Order;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.CrashedNode;
import live.retwis.locks.lab.fault.CutLinks;
import live.retwis.locks.lab.fault.Fault;
import live.retwis.locks.lab.fault.FlushedNodes;
import live.retwis.locks.lab.fault.LinkFault;
import live.retwis.locks.lab.fault.PausedNode;
import live.retwis.locks.lab.play.About;
import live.retwis.locks.lab.play.About.Need;
import live.retwis.locks.lab.play.Actor;
import live.retwis.locks.lab.play.Round;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.Source;
import live.retwis.locks.lab.proxy.Command;
import live.retwis.locks.nodes.Poll;

/**
 * 12a and 12b.
 */
final class RandomWalk implements Scenario {

	/** How often each client is given something to do. */
	private static final int TURNS = 60;

	/** Faults at a time, so that somebody gets the lock now and then. */
	private static final int FAULTS = 2;

	/** RedissonRedLock tries for so long what a fault has interrupted. */
	private static final Duration PATIENT = Duration.ofSeconds(15);

	/** How often an engine that a fault holds up for long is helped. */
	private static final int HELPS = 2;

	private final About about;

	private final int kinds;

	private RandomWalk(About about, int kinds) {
		this.about = about;
		this.kinds = kinds;
	}

	static RandomWalk withinTheModel() {
		return new RandomWalk(About.of("12a", "random-walk", "faults that Redlock is made for, at random", """
				Three clients count under the lock, while the seed lets nodes stand still, crash (with every write on \
				disk) and come back, and lets links be slow, break, hold answers and lose releases. These are the \
				faults that Redlock promises to bear: no two owners, no increment lost. Salvatore Sanfilippo asked for \
				such a test when he answered the objections to it. RedissonRedLock with its default settings is held \
				up for seconds by the first fault that it meets; all faults are undone then, twice at most, and what \
				it makes of it is shown and not judged.""")
			.citing(Source.SANFILIPPO)
			.needing(Need.DURABLE_NODES)
			.expectOurs(Expectation.SAFE)
			.expect(Expectation.SHOWN, LabEngine.RAW), 6);
	}

	static RandomWalk withAllFaults() {
		Expectation counted = new Expectation(null, Safety.SAFE, Progress.ACQUIRED);
		return new RandomWalk(About.of("12b", "wild-walk", "all faults, at random", """
				As in 12a, but nodes forget everything in a crash, are emptied, and their clocks jump. Two owners at a \
				time are then possible with any Redlock, and are not judged. Martin Kleppmann's point is that what has \
				to be right must not depend on that: what is judged is that the protected store, with the owner noted \
				in it, loses no increment all the same. RedissonRedLock is shown, as in 12a.""")
			.citing(Source.KLEPPMANN)
			.needing(Need.CLOCKS)
			.expectOurs(counted)
			.expect(Expectation.SHOWN, LabEngine.RAW), 8);
	}

	@Override
	public About about() {
		return this.about;
	}

	@Override
	public void play(Round round) {
		List<Actor> clients = round.clients("A", "B", "C");
		Deque<Fault> faults = new ArrayDeque<>();
		int helped = 0;
		for (int turn = 0; turn < TURNS && helped <= HELPS; turn++) {
			clients.forEach(RandomWalk::goOn);
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

	private static boolean areDone(List<Actor> clients) {
		return clients.stream().allMatch((actor) -> actor.client().isIdle());
	}

	private static void goOn(Actor actor) {
		if (actor.isHolder()) {
			actor.begin(Order.READ);
			actor.begin(Order.WRITE);
			actor.begin(Order.RELEASE);
		}
		else {
			actor.tryAcquire();
		}
	}

	/** Now and then a fault more, or one less. */
	private void stumble(Round round, List<Actor> clients, Deque<Fault> faults) {
		int dice = round.random().nextInt(6);
		if (dice == 0 && faults.size() < FAULTS) {
			faults.add(round.inject(fault(round, clients)));
		}
		else if (dice == 1 && !faults.isEmpty()) {
			round.undo(faults.remove());
		}
	}

	private Fault fault(Round round, List<Actor> clients) {
		Random random = round.random();
		Actor actor = clients.get(random.nextInt(clients.size()));
		Integer[] some = round.choose(1 + random.nextInt(3), 1, 2, 3, 4, 5);
		// Each kind has nodes of its own: two faults of one node would undo each other.
		return switch (random.nextInt(this.kinds)) {
			case 0 -> new PausedNode(round.node(1));
			case 1 -> new CrashedNode(round.node(3 + random.nextInt(3)));
			case 2 -> new CutLinks(actor.client(), some);
			case 3 -> LinkFault.delay(actor.client(), Duration.ofMillis(20 + random.nextInt(130)), some);
			case 4 -> LinkFault.holdReplies(actor.client(), Command.ACQUIRE, some);
			case 5 -> LinkFault.loseCommands(actor.client(), Command.RELEASE, some);
			case 6 -> new FlushedNodes(round.nodes(2), round.resource());
			default -> round.clock(2, Duration.ofSeconds(5), 0);
		};
	}

}
