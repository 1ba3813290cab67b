package live.retwis.lab;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import live.retwis.live.EventFrame;
import live.retwis.live.LiveProperties;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryJson;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The events of the run under way, or of the last one, for every open page. Each has an
 * id {@code <run>-<number>}. The last ones are kept, so that a page that comes back goes
 * on where it was, and one that comes new sees what it missed; how much that is, is
 * bounded, and so is what waits for a page that does not read.
 * <p>
 * Called by the threads of the lab and by event loops; nothing here takes long.
 */
@ConditionalOnLab
class LabFeed {

	/** Of what is kept, in bytes: a minute of free play, or dozens of short rounds. */
	private static final int KEPT = 512 * 1024;

	private static final Pattern ID = Pattern.compile("([0-9A-Z]{1,13})-(\\d{1,18})");

	private static final String POSITION = "position";

	private final LiveProperties properties;

	private final Set<LabSubscriber> subscribers = ConcurrentHashMap.newKeySet();

	private final Deque<Kept> kept = new ArrayDeque<>();

	private int keptBytes;

	private final List<HistoryEvent> waiting = new ArrayList<>();

	/** What says which run and which round it is, for pages that see only the rest. */
	private String run = HistoryJson.line(new RunState("idle", null));

	private @Nullable String round;

	private String runId = "0";

	private long last;

	private long lastSent = System.nanoTime();

	private boolean open = true;

	LabFeed(LiveProperties properties) {
		this.properties = properties;
	}

	/** A run begins; what was kept of the one before is dropped. */
	synchronized void begin(RunSummary head) {
		this.kept.clear();
		this.keptBytes = 0;
		this.waiting.clear();
		this.runId = head.id();
		this.last = 0;
		this.round = null;
		this.run = HistoryJson.line(new RunState("running", head));
		send("run", this.run);
	}

	/** A round begins. */
	synchronized void round(Object header) {
		flush();
		this.round = HistoryJson.line(header);
		send("round", this.round);
	}

	/** Something happened in the round under way; it goes with the next {@link #tick}. */
	synchronized void happened(HistoryEvent event) {
		this.waiting.add(event);
	}

	/** Tells of the round under way, or of the run. */
	synchronized void tell(String name, Object about) {
		flush();
		send(name, HistoryJson.line(about));
	}

	/** To be called ten times a second. */
	synchronized void tick() {
		flush();
		if (System.nanoTime() - this.lastSent > this.properties.heartbeat().toNanos()) {
			publish(EventFrame.event(id(this.last), POSITION, "-"));
		}
	}

	private void flush() {
		if (!this.waiting.isEmpty()) {
			String events = HistoryJson.line(this.waiting);
			this.waiting.clear();
			send("events", events);
		}
	}

	private void send(String name, String data) {
		byte[] frame = EventFrame.event(id(++this.last), name, data);
		this.kept.add(new Kept(this.last, frame));
		this.keptBytes += frame.length;
		while (this.keptBytes > KEPT) {
			this.keptBytes -= this.kept.remove().frame().length;
		}
		publish(frame);
	}

	private void publish(byte[] frame) {
		this.lastSent = System.nanoTime();
		this.subscribers.removeIf((subscriber) -> !subscriber.send(frame));
	}

	private String id(long number) {
		return this.runId + "-" + number;
	}

	/**
	 * The frames of a stream; subscribing opens it, cancelling closes it.
	 * @param asked the id of the last event that the page has seen; empty for none
	 */
	Flux<byte[]> stream(Optional<String> asked) {
		return Flux.defer(() -> {
			LabSubscriber subscriber = new LabSubscriber(this.properties.buffer());
			byte[] first = attach(subscriber, asked);
			return (first == null) ? Flux.just(EventFrame.farewell())
					: Flux.concat(Mono.just(first), subscriber.frames()).doFinally((signal) -> leave(subscriber));
		});
	}

	/** What it begins with; null when this instance is about to end. */
	private synchronized byte @Nullable [] attach(LabSubscriber subscriber, Optional<String> asked) {
		if (!this.open) {
			return null;
		}
		flush();
		this.subscribers.add(subscriber);
		ByteArrayOutputStream frames = new ByteArrayOutputStream();
		long before = this.kept.isEmpty() ? this.last : this.kept.element().number() - 1;
		Optional<Long> from = asked.flatMap(this::number).filter((number) -> number >= before && number <= this.last);
		String id = id(from.orElse(before));
		frames.writeBytes(EventFrame.opening(id, POSITION, "-", null));
		if (from.isEmpty()) {
			if (asked.isPresent()) {
				frames.writeBytes(EventFrame.event(id, "reset", "{\"missed\":null}"));
			}
			if (before > 0 || this.kept.isEmpty()) {
				frames.writeBytes(EventFrame.event(id, "run", this.run));
			}
			if (before > 0 && this.round != null) {
				frames.writeBytes(EventFrame.event(id, "round", this.round));
			}
		}
		long after = from.orElse(before);
		this.kept.stream().filter((some) -> some.number() > after).forEach((some) -> frames.writeBytes(some.frame()));
		return frames.toByteArray();
	}

	/** Where in this run an id is; empty for one of another run. */
	private Optional<Long> number(String id) {
		Matcher parts = ID.matcher(id);
		return (parts.matches() && parts.group(1).equals(this.runId)) ? Optional.of(Long.parseLong(parts.group(2)))
				: Optional.empty();
	}

	private synchronized void leave(LabSubscriber subscriber) {
		this.subscribers.remove(subscriber);
	}

	/** How many pages watch. */
	synchronized int watchers() {
		return this.subscribers.size();
	}

	/** Ends all streams, each with a time of its own to come back, and takes no more. */
	synchronized void close() {
		this.open = false;
		this.subscribers.forEach(LabSubscriber::end);
		this.subscribers.clear();
	}

	private record Kept(long number, byte[] frame) {
	}

	/**
	 * What a page is told first.
	 *
	 * @param state idle or running
	 * @param run what is played; null when nothing was since the start
	 */
	record RunState(String state, @Nullable RunSummary run) {
	}

}
