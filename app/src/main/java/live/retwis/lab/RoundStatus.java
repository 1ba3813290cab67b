package live.retwis.lab;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import live.retwis.locks.lab.history.RoundRecord;

/**
 * How a round stands, for a page without scripts.
 *
 * @param scenario its number
 * @param engine its name
 * @param round counted from 1
 * @param nodes what each node was last seen to hold
 * @param result how it ended; empty while it goes on
 * @param violations what the judges found
 */
record RoundStatus(String scenario, String engine, int round, List<NodeNow> nodes, String result,
		List<String> violations) {

	static RoundStatus began(RoundRecord record) {
		return new RoundStatus(record.scenario(), record.engine(), record.round(), List.of(), "", List.of());
	}

	/**
	 * The same after a look at the nodes.
	 * @param seen by the nodes' names
	 */
	RoundStatus saw(Map<String, String> seen) {
		List<NodeNow> now = IntStream.iterate(1, (number) -> seen.containsKey("node " + number), (number) -> number + 1)
			.mapToObj((number) -> NodeNow.of(number, seen))
			.toList();
		return new RoundStatus(this.scenario, this.engine, this.round, now, this.result, this.violations);
	}

	RoundStatus judged(String how, List<String> found) {
		return new RoundStatus(this.scenario, this.engine, this.round, this.nodes, how, found);
	}

	boolean isSame(RoundRecord record) {
		return this.engine.equals(record.engine()) && this.scenario.equals(record.scenario())
				&& this.round == record.round();
	}

	/**
	 * A node as it was last seen.
	 *
	 * @param number from 1
	 * @param state up, paused or gone
	 * @param holding for whom it holds the key
	 */
	record NodeNow(int number, String state, String holding) {

		static NodeNow of(int number, Map<String, String> seen) {
			String name = "node " + number;
			return new NodeNow(number, seen.getOrDefault(name + " state", "up"), seen.getOrDefault(name, ""));
		}

	}

}
