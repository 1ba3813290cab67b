package live.retwis.locks.nodes.testing;

import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.jspecify.annotations.Nullable;

/**
 * Assigns replies to commands on one connection. Replies arrive in the order of the
 * commands. Messages such as those of a subscription are not replies. A refused SUBSCRIBE
 * is not handled.
 */
final class Dialogue {

	private static final Set<String> SUBSCRIBING = Set.of("SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE",
			"PUNSUBSCRIBE", "SUNSUBSCRIBE");

	/**
	 * First words of messages in RESP2 that are not replies. RESP3 has its own type for
	 * them.
	 */
	private static final Set<String> UNASKED = Set.of("subscribe", "psubscribe", "ssubscribe", "unsubscribe",
			"punsubscribe", "sunsubscribe", "message", "pmessage", "smessage");

	private final Queue<SentCommand> unanswered = new ConcurrentLinkedQueue<>();

	/**
	 * Names of the commands so far. Their number is bounded, because Redis has a fixed
	 * number of commands.
	 */
	private final Set<String> said = ConcurrentHashMap.newKeySet();

	/** Notes that a command is on its way to the server. */
	void asks(SentCommand command) {
		this.said.add(command.name());
		if (!SUBSCRIBING.contains(command.name())) {
			this.unanswered.add(command);
		}
	}

	/** The command of this reply; null for a message that is not a reply. */
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
