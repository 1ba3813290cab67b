package live.retwis.locks.lab.scenario;

import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.client.Operation;
import live.retwis.locks.lab.client.SubmittedOperation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.FurtherReading;
import live.retwis.locks.lab.play.RoundClient;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;

/**
 * Scenario 0.
 */
final class ContentionScenario implements Scenario {

	/**
	 * How often all clients try at once. Each time two of three are refused, or all
	 * three.
	 */
	private static final int TURNS = 12;

	@Override
	public ScenarioDescription about() {
		return ScenarioDescription.of("0", "contention", "three clients want the same lock, and nothing fails", """
				Three clients try at the same moment, again and again; who has the lock adds one to a counter by \
				reading and writing it, and gives the lock back while the others already try. Nothing fails, so that \
				every engine is safe here: no two owners at a time, and the counter is the number of increments. What \
				differs is how often nobody wins, because each has some of the nodes. The description of Redlock has \
				clients ask all nodes at once, and pause for a random time before they try again, to make that rare; \
				Retwis does both where a caller waits. Here each tries once, so that you see it happen.""")
			.citing(FurtherReading.REDIS)
			.withAnyNodes()
			.expect(Expectation.SAFE, LabEngine.compared());
	}

	@Override
	public void play(RoundContext round) {
		List<RoundClient> clients = round.clients("A", "B", "C");
		for (int turn = 0; turn < TURNS; turn++) {
			List<SubmittedOperation> calls = new ArrayList<>();
			for (RoundClient client : clients) {
				if (client.isHolder()) {
					calls.addAll(List.of(client.begin(Operation.READ), client.begin(Operation.WRITE),
							client.begin(Operation.RELEASE)));
				}
				calls.add(client.tryAcquire());
			}
			round.await("turn " + (turn + 1) + " is over", () -> calls.stream().allMatch(SubmittedOperation::isDone));
		}
		clients.forEach(RoundClient::release);
	}

}
