package live.retwis.locks.lab.scenario;

import java.time.Duration;
import java.util.List;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.LinkFault;
import live.retwis.locks.lab.play.About;
import live.retwis.locks.lab.play.Actor;
import live.retwis.locks.lab.play.Round;
import live.retwis.locks.lab.play.Scenario;

/**
 * 7 and 7b.
 */
final class Delay implements Scenario {

	private final About about;

	private final Duration delay;

	private Delay(About about, Duration delay) {
		this.about = about;
		this.delay = delay;
	}

	static Delay under() {
		return new Delay(About.of("7", "delay", "all nodes are slow, but within the node time-out", """
				Each command of A takes 50 ms longer to each node; ours waits for a node for 100 ms. The engines that \
				ask node after node need a third of a second and have the lock; what they needed is off the lease. \
				The parallel engine needs one delay.""").expect(Expectation.SAFE, LabEngine.values()),
				Duration.ofMillis(50));
	}

	static Delay over() {
		return new Delay(
				About
					.of("7b", "long-delay", "all nodes are slower than the node time-out",
							"""
									Each command of A takes 150 ms longer to each node, and ours waits for a node for 100 ms: no majority, \
									no lock. Redisson's own locks wait for three seconds, get there, and are safe as long as all of it \
									fits into the lease.""")
					.expectOurs(Expectation.NONE)
					.expect(Expectation.SAFE, LabEngine.RAW, LabEngine.RLOCK, LabEngine.RFENCED),
				Duration.ofMillis(150));
	}

	@Override
	public About about() {
		return this.about;
	}

	@Override
	public void play(Round round) {
		List<Actor> clients = round.clients("A", "B");
		Actor a = clients.get(0);
		Actor b = clients.get(1);
		LinkFault slow = round.inject(LinkFault.delay(a.client(), this.delay, 1, 2, 3, 4, 5));
		boolean acquired = a.acquire();
		round.require("commands were late", slow.met() > 0);
		if (acquired) {
			b.acquire();
			round.useBoth(a, b);
		}
		round.recover(a, b);
	}

}
