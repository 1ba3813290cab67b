package live.retwis.locks.lab.play;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import live.retwis.locks.lab.fault.Fault;
import live.retwis.locks.lab.fault.KilledClient;
import live.retwis.locks.lab.fault.PausedClient;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The clients of a free play, each in a process of its own. Does to them what people ask
 * for, and undoes it after a while.
 */
final class FreePlayClients {

	private final RoundContext round;

	private final Function<RoundClient, FreePlayClient> kind;

	private final Duration lasting;

	private final Map<String, FreePlayClient> clients = new LinkedHashMap<>();

	/** Clients that are paused or dead. */
	private final List<Struck> struck = new ArrayList<>();

	private final ManualFaults links;

	/**
	 * Starts the clients.
	 * @param kind what a client does, by itself or when it is told
	 * @param lasting how long a client stays paused or dead
	 */
	FreePlayClients(RoundContext round, Function<RoundClient, FreePlayClient> kind, Duration lasting) {
		this.round = round;
		this.kind = kind;
		this.lasting = lasting;
		round.processes(FreePlay.CLIENTS.toArray(String[]::new))
			.forEach((actor) -> this.clients.put(actor.client().name(), kind.apply(actor)));
		this.links = new ManualFaults(round, this::actors, lasting);
	}

	private record Struck(String client, Fault fault, long end, boolean kept) {
	}

	/** What people do to nodes and to the links between nodes and these clients. */
	ManualFaults nodes() {
		return this.links;
	}

	private Collection<RoundClient> actors() {
		return this.clients.values().stream().map(FreePlayClient::actor).toList();
	}

	void step() {
		this.clients.values().stream().filter((one) -> !isDead(one)).forEach(FreePlayClient::step);
	}

	/** Whether every client that lives has done what it began. */
	boolean areIdle() {
		return this.clients.values().stream().allMatch((one) -> isDead(one) || one.actor().client().isIdle());
	}

	/** Does an action. Notes why, when it makes no sense now. */
	void act(ClientAction action) {
		FreePlayClient client = Objects.requireNonNull(this.clients.get(action.client()));
		Refusal refusal = refusal(action, client);
		if (refusal != null) {
			refuse(action, refusal);
		}
		else {
			perform(action, client);
		}
	}

	private @Nullable Refusal refusal(ClientAction action, FreePlayClient client) {
		boolean dead = isDead(client);
		boolean paused = isStruck(action.client(), PausedClient.class);
		return switch (action.kind()) {
			case PAUSE -> dead ? Refusal.DEAD : paused ? Refusal.PAUSED : null;
			case RESUME -> paused ? null : Refusal.NOT_PAUSED;
			case RESTART -> !dead ? Refusal.RUNS : !isStartPossible() ? Refusal.NODE_DOWN : null;
			case KILL, ACQUIRE, WRITE, RELEASE -> dead ? Refusal.DEAD : null;
		};
	}

	private void perform(ClientAction action, FreePlayClient client) {
		switch (action.kind()) {
			case PAUSE -> inject(action, new PausedClient(client.actor().client()));
			case RESUME -> undo(of(action.client(), PausedClient.class));
			case RESTART -> restart(action.client());
			case KILL -> {
				inject(action, new KilledClient(client.actor().client()));
				undo(of(action.client(), PausedClient.class));
			}
			case ACQUIRE, WRITE, RELEASE -> client.order(action.kind()).ifPresent((why) -> refuse(action, why));
		}
	}

	private void refuse(ClientAction action, Refusal why) {
		this.round.note(new HistoryEvent(System.nanoTime(), Kind.STEP, action.client(), action + ": not done, " + why,
				0, Map.of("why", why.label())));
	}

	private void inject(ClientAction action, Fault fault) {
		this.round.inject(fault);
		this.struck.add(new Struck(action.client(), fault, System.nanoTime() + this.lasting.toNanos(), action.kept()));
	}

	private boolean isStruck(String client, Class<? extends Fault> kind) {
		return this.struck.stream().anyMatch(of(client, kind));
	}

	private boolean isDead(FreePlayClient client) {
		return isStruck(client.actor().client().name(), KilledClient.class);
	}

	private static Predicate<Struck> of(String client, Class<? extends Fault> kind) {
		return (one) -> one.client().equals(client) && kind.isInstance(one.fault());
	}

	private void undo(Predicate<Struck> which) {
		List<Struck> meant = this.struck.stream().filter(which).toList();
		meant.forEach((one) -> this.round.undo(one.fault()));
		this.struck.removeAll(meant);
	}

	/** A client asks all nodes when it starts, and does not start without them. */
	private boolean isStartPossible() {
		return Stream.of(this.round.all()).allMatch((node) -> this.round.node(node).isUp());
	}

	/** What is done to links of a client is done to those of its successor too. */
	private void restart(String name) {
		FreePlayClient former = Objects.requireNonNull(this.clients.get(name));
		List<ManualFaults.Timed> broken = this.links.unlink(name);
		FreePlayClient successor = this.kind.apply(this.round.replace(former.actor()));
		this.clients.put(name, successor);
		this.links.relink(successor.actor(), broken);
		undo(of(name, KilledClient.class));
	}

	/** Undoes what has lasted long enough, but for what is kept until it is undone. */
	void heal() {
		long now = System.nanoTime();
		Predicate<Struck> due = (one) -> !one.kept() && now - one.end() >= 0;
		undo(due.and((one) -> one.fault() instanceof PausedClient));
		this.struck.stream().filter(due).map(Struck::client).toList().forEach((name) -> {
			if (isStartPossible()) {
				restart(name);
			}
		});
	}

	/** Lets all paused clients go on. Dead ones stay dead. */
	void resumeAll() {
		undo((one) -> one.fault() instanceof PausedClient);
	}

}
