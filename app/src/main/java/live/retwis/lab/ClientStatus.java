package live.retwis.lab;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;

/**
 * A client of a round, for a page without scripts.
 *
 * @param name its name
 * @param state whether its process runs
 * @param last what it did last
 */
record ClientStatus(String name, Localized state, Localized last) {

	private static final Localized RUNS = Message.of("lab.client-runs");

	private static final Localized PAUSED = Message.of("lab.client-paused");

	/** Begins what the store compares, where it compares numbers. */
	private static final String NUMBER = "number ";

	/** The clients after something happened. */
	static List<ClientStatus> after(HistoryEvent event, List<ClientStatus> clients) {
		return switch (event.kind()) {
			case RETURN -> event.name().equals("read") ? clients : with(clients, known(event, clients).did(event));
			case INJECT -> event.name().equals("stopped") ? with(clients, known(event, clients).in(PAUSED)) : clients;
			case DEATH -> with(clients, known(event, clients).in(Message.of("lab.client-dead")));
			case STEP -> event.subject().isEmpty() ? clients : with(clients, known(event, clients).did(event));
			case UNDO -> ends(event, known(event, clients)) ? with(clients, known(event, clients).in(RUNS)) : clients;
			default -> clients;
		};
	}

	/** A client that was paused and then killed is no longer paused, and yet dead. */
	private static boolean ends(HistoryEvent undone, ClientStatus client) {
		return undone.name().equals("killed") || undone.name().equals("stopped") && client.state().equals(PAUSED);
	}

	private static ClientStatus known(HistoryEvent event, List<ClientStatus> clients) {
		return clients.stream()
			.filter((one) -> one.name().equals(event.subject()))
			.findFirst()
			.orElseGet(() -> new ClientStatus(event.subject(), RUNS, Localized.verbatim("")));
	}

	private static List<ClientStatus> with(List<ClientStatus> clients, ClientStatus now) {
		List<ClientStatus> all = new ArrayList<>(clients);
		all.removeIf((one) -> one.name().equals(now.name()));
		all.add(now);
		all.sort(Comparator.comparing(ClientStatus::name));
		return List.copyOf(all);
	}

	private ClientStatus in(Localized other) {
		return new ClientStatus(this.name, other, this.last);
	}

	private ClientStatus did(HistoryEvent event) {
		return new ClientStatus(this.name, this.state, what(event));
	}

	private static Localized what(HistoryEvent event) {
		if (event.kind() == Kind.STEP) {
			return refusal(event.detail("why"));
		}
		return switch (event.name() + " " + event.detail("outcome")) {
			case "acquire acquired" -> Message.of("lab.did.acquired");
			case "acquire taken" -> Message.of("lab.did.taken");
			case "acquire none" -> Message.of("lab.did.none");
			case "write written" -> Message.of("lab.did.written", event.detail("value"), fence(event.detail("fence")));
			case "write refused" -> Message.of("lab.did.refused", event.detail("value"), fence(event.detail("fence")));
			case "release done" -> Message.of("lab.did.released");
			case "extend extended" -> Message.of("script.lab.outcome.extended");
			case "extend expired" -> Message.of("script.lab.outcome.expired");
			default -> Message.of("script.lab.outcome.error");
		};
	}

	/** What the store compares. */
	private static Localized fence(String fence) {
		return fence.startsWith(NUMBER) ? Message.of("script.lab.fence.number", fence.substring(NUMBER.length()))
				: fence.equals("owner") ? Message.of("script.lab.fence.owner") : Message.of("script.lab.fence.none");
	}

	/** Why the client was not made to do what was asked. */
	private static Localized refusal(String why) {
		return switch (why) {
			case "dead" -> Message.of("script.lab.not.dead");
			case "runs" -> Message.of("script.lab.not.runs");
			case "paused" -> Message.of("script.lab.not.paused");
			case "not-paused" -> Message.of("script.lab.not.not-paused");
			case "node-down" -> Message.of("script.lab.not.node-down");
			case "busy" -> Message.of("script.lab.not.busy");
			case "has-lock" -> Message.of("script.lab.not.has-lock");
			case "no-lock" -> Message.of("script.lab.not.no-lock");
			default -> Message.of("script.lab.not.by-itself");
		};
	}

}
