package live.retwis.locks.lab.client;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import live.retwis.locks.lab.fault.LockCommandKind;
import live.retwis.locks.lab.history.History;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.proxy.TrafficListener;
import org.jspecify.annotations.Nullable;

/**
 * Notes what a client asks a node about a lock, and what it hears of the answer. This is
 * seen on the link, so that it is the same for every engine. Only the thread of the link
 * calls it.
 */
final class LinkTrafficRecorder implements TrafficListener {

	private static final AtomicLong exchanges = new AtomicLong();

	private static final Pattern CALL = Pattern.compile("redis\\.call\\('(\\w+)'");

	/** Longer commands are cut in the history. Those of locks are shorter. */
	private static final int LONGEST = 300;

	/**
	 * Commands without an answer that are remembered. An engine that asks more often
	 * while its node is silent is not followed further.
	 */
	private static final int MOST_OPEN = 200;

	private final String client;

	private final int node;

	private final String key;

	private final History history;

	/** The numbers of the commands that wait for an answer. */
	private final Map<SentCommand, Long> open = new IdentityHashMap<>();

	/** Whether commands wait for EXEC to run. */
	private boolean inTransaction;

	/** The command of this transaction, whose answer comes with that of EXEC. */
	private @Nullable SentCommand queued;

	/**
	 * Notes the traffic of a link.
	 * @param client whose link it is
	 * @param node the number of the node that it leads to
	 * @param resource the lock that the round is about
	 * @param history where to note it
	 */
	LinkTrafficRecorder(String client, int node, String resource, History history) {
		this.client = client;
		this.node = node;
		this.key = "lock:" + resource;
		this.history = history;
	}

	@Override
	public void sent(SentCommand command) {
		if (List.of("MULTI", "EXEC", "DISCARD").contains(command.name())) {
			this.inTransaction = command.name().equals("MULTI");
		}
		if (command.arguments().contains(this.key) && this.open.size() < MOST_OPEN) {
			long exchange = exchanges.incrementAndGet();
			this.open.put(command, exchange);
			note(Kind.ASKED, command, exchange,
					Map.of("node", String.valueOf(this.node), "owner", owner(command), "sent", text(command)));
		}
	}

	@Override
	public void answered(SentCommand command, String reply) {
		if (reply.equals("QUEUED")) {
			this.queued = this.open.containsKey(command) ? command : this.queued;
			return;
		}
		if (command.name().equals("EXEC") && this.queued != null) {
			SentCommand first = this.queued;
			this.queued = null;
			answered(first, reply);
			return;
		}
		Long exchange = this.open.remove(command);
		if (exchange != null) {
			note(Kind.ANSWERED, command, exchange, Map.of("node", String.valueOf(this.node), "reply", reply, "says",
					LockCommandKind.of(command).says(command, reply)));
		}
	}

	private void note(Kind kind, SentCommand command, long exchange, Map<String, String> details) {
		this.history.trace(new HistoryEvent(System.nanoTime(), kind, this.client, LockCommandKind.of(command).label(),
				exchange, details));
	}

	/** The command, with the names of what its script calls in place of the script. */
	private String text(SentCommand command) {
		List<String> arguments = command.arguments();
		boolean waits = this.inTransaction && LockCommandKind.of(command) == LockCommandKind.RELEASE;
		String text = (waits ? "{multi, exec} " : "") + command.name() + " "
				+ (command.script().isEmpty() ? String.join(" ", arguments)
						: CALL.matcher(command.script())
							.results()
							.map((call) -> call.group(1))
							.distinct()
							.collect(Collectors.joining(", ", "{", "} "))
								+ String.join(" ", arguments.subList(2, arguments.size())));
		return text.substring(0, Math.min(text.length(), LONGEST));
	}

	/** The owner that a command names: its first value that is not a number. */
	private String owner(SentCommand command) {
		List<String> arguments = command.arguments();
		int from = command.script().isEmpty() ? 1 : Math.min(2 + keys(arguments), arguments.size());
		return arguments.subList(from, arguments.size())
			.stream()
			.filter((argument) -> !argument.matches("-?\\d*"))
			.findFirst()
			.orElse("");
	}

	private static int keys(List<String> arguments) {
		return Integer.parseInt(arguments.get(1));
	}

}
