package live.retwis.locks.lab.scenario;

import java.util.List;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.client.SubmittedOperation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.fault.LinkFault;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;

/**
 * Scenario 8b.
 */
final class HeldMajorityRepliesScenario implements Scenario {

	@Override
	public ScenarioDescription about() {
		return ScenarioDescription.of("8b", "held-replies", "the answers of three nodes are held", """
				Three nodes take the key, and their answers are held up. All five hold the lock for A, but A heard of \
				two. Retwis counts only what it heard: that is no majority, and it gives back on all nodes, those \
				included that it did not hear of. The description of Redlock asks for that too: who fails gives back \
				everywhere, even where it believes that it took nothing. RedissonRedLock waits for the first of the \
				three; what it ends with is shown and not judged.""")
			.citing(FurtherReading.REDIS)
			.expectOurs(Expectation.NONE)
			.expect(Expectation.SHOWN, LabEngine.RAW);
	}

	@Override
	public void play(RoundContext round) {
		List<RoundClient> clients = round.clients("A", "B");
		RoundClient a = clients.get(0);
		LinkFault held = round
			.inject(LinkFault.holdReplies(a.client(), LinkFault.ACQUIRE, round.choose(3, 1, 2, 3, 4, 5)));
		SubmittedOperation call = a.tryAcquire();
		round.await("an answer is held", () -> held.met() > 0);
		if (round.engine().isOurs()) {
			round.await("A has an answer", call::isDone);
			round.require("all three answers were held", held.hasMetEach());
		}
		else {
			round.awaitLease();
		}
		round.look("answers are held");
		round.recover(clients.get(1));
	}

}
