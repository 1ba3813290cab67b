package live.retwis.locks.nodes.proxy;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/**
 * Which reply belongs to which command on one connection: they come in the order of the
 * commands, but for what the server says unasked. A refused SUBSCRIBE is not foreseen.
 */
final class CommandReplyMatcher {

	private static final Set<String> SUBSCRIBING = Set.of("SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE",
			"PUNSUBSCRIBE", "SUNSUBSCRIBE");

	/** First words of what comes unasked in RESP2; RESP3 has a type for it. */
	private static final Set<String> UNASKED = Set.of("subscribe", "psubscribe", "ssubscribe", "unsubscribe",
			"punsubscribe", "sunsubscribe", "message", "pmessage", "smessage");

	private final Queue<SentCommand> unanswered = new ArrayDeque<>();

	/** Bounded by the number of commands that Redis has. Any thread may ask. */
	private final Set<String> said = ConcurrentHashMap.newKeySet();

	/** A command is on its way to the server. */
	void asks(SentCommand command) {
		this.said.add(command.name());
		if (!SUBSCRIBING.contains(command.name())) {
			this.unanswered.add(command);
		}
	}

	/** The command that this answers; none when nobody asked. */
	@Nullable SentCommand answeredBy(byte[] bytes, List<String> words) {
		return isUnasked(bytes[0], words) ? null : this.unanswered.poll();
	}

	private boolean isUnasked(byte type, List<String> words) {
		return type == '>' || type == '*' && !words.isEmpty() && UNASKED.contains(words.get(0))
				&& this.said.stream().anyMatch(SUBSCRIBING::contains);
	}

	boolean hasSaid(String name) {
		return this.said.contains(name);
	}

}
