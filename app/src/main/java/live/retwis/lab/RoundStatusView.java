package live.retwis.lab;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.history.RoundRecord;
import org.jspecify.annotations.Nullable;

/**
 * The state of a round, for a page without scripts.
 *
 * @param scenario number of the scenario
 * @param engine name of the engine
 * @param round number of the round, from 1
 * @param nodes what each node held when it was last looked at
 * @param clients what each client did last
 * @param result how the round ended; null while it goes on
 * @param violations what the checkers found
 */
record RoundStatusView(String scenario, String engine, int round, List<NodeNow> nodes, List<ClientStatus> clients,
		@Nullable Localized result, List<Localized> violations) {

	static RoundStatusView began(RoundRecord record) {
		return new RoundStatusView(record.scenario(), record.engine(), record.round(), List.of(), List.of(), null,
				List.of());
	}

	/** The state after something happened. */
	RoundStatusView saw(HistoryEvent event) {
		return (event.kind() == Kind.NODES) ? saw(event.details()) : new RoundStatusView(this.scenario, this.engine,
				this.round, this.nodes, ClientStatus.after(event, this.clients), this.result, this.violations);
	}

	private RoundStatusView saw(Map<String, String> seen) {
		List<NodeNow> now = IntStream.iterate(1, (number) -> seen.containsKey("node " + number), (number) -> number + 1)
			.mapToObj((number) -> NodeNow.of(number, seen))
			.toList();
		return new RoundStatusView(this.scenario, this.engine, this.round, now, this.clients, this.result,
				this.violations);
	}

	RoundStatusView judged(Localized how, List<Localized> found) {
		return new RoundStatusView(this.scenario, this.engine, this.round, this.nodes, this.clients, how, found);
	}

	/** The name of the engine for people. */
	Localized engineName() {
		return LocalizedLabWords.engine(this.engine);
	}

	boolean isSame(RoundRecord record) {
		return this.engine.equals(record.engine()) && this.scenario.equals(record.scenario())
				&& this.round == record.round();
	}

	/**
	 * A node when it was last looked at.
	 *
	 * @param number from 1
	 * @param state whether it runs
	 * @param holding whose key it holds, and for how long
	 */
	record NodeNow(int number, Localized state, Localized holding) {

		private static final Pattern HELD = Pattern.compile("(.*) for (-?\\d+) ms");

		static NodeNow of(int number, Map<String, String> seen) {
			String name = "node " + number;
			return new NodeNow(number, state(seen.getOrDefault(name + " state", "up")),
					holding(seen.getOrDefault(name, "")));
		}

		private static Localized state(String seen) {
			return switch (seen) {
				case "up" -> Message.of("script.lab.state.up");
				case "paused" -> Message.of("script.lab.state.paused");
				default -> Message.of("script.lab.state.gone");
			};
		}

		private static Localized holding(String seen) {
			Matcher held = HELD.matcher(seen);
			if (!held.matches()) {
				return Localized.verbatim("–");
			}
			return held.group(1).equals("orphan") ? Message.of("script.lab.orphan")
					: Message.of("script.lab.holder", held.group(1), held.group(2));
		}

	}

}
