package live.retwis.lab;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import live.retwis.live.LiveProperties;
import live.retwis.live.ServerSentEventEncoder;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryJson;
import live.retwis.locks.lab.words.LabWords;
import live.retwis.web.HeartbeatProperties;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Sends the events of the current run, or of the last one, to every open page. Each event
 * has an id {@code <run>-<number>}. The feed keeps the newest events, so that a page that
 * reconnects continues where it was, and a page that is opened late sees what came
 * before. The number of bytes that it keeps is bounded. So is the number of events that
 * wait for a slow page.
 * <p>
 * Called by the threads of the lab and by event loops, so nothing here blocks for long.
 */
@ConditionalOnLab
class LabFeed {

	/**
	 * Bytes of events that are kept. They hold the last seconds of free play, or several
	 * short rounds.
	 */
	private static final int KEPT_BYTES = 512 * 1024;

	private static final Pattern ID = Pattern.compile("([0-9A-Z]{1,13})-(\\d{1,18})");

	private static final String POSITION = "position";

	private final LiveProperties properties;

	private final HeartbeatProperties heartbeat;

	private final Set<LabSubscriber> subscribers = ConcurrentHashMap.newKeySet();

	private final Deque<Kept> kept = new ArrayDeque<>();

	private int keptBytes;

	private final List<HistoryEvent> waiting = new ArrayList<>();

	/**
	 * Header of the current run and header of its current round. They are sent to pages
	 * when the events that had them are no longer kept.
	 */
	private String run = HistoryJson.line(RunState.of("idle", null));

	private @Nullable String round;

	private String runId = "0";

	private long last;

	private long lastSent = System.nanoTime();

	private boolean open = true;

	LabFeed(LiveProperties properties, HeartbeatProperties heartbeat) {
		this.properties = properties;
		this.heartbeat = heartbeat;
		LocalizedLabWords.load();
	}

	/** Begins a run, and drops the events of the run before. */
	synchronized void begin(RunSummary head) {
		this.kept.clear();
		this.keptBytes = 0;
		this.waiting.clear();
		this.runId = head.id();
		this.last = 0;
		this.round = null;
		this.run = HistoryJson.line(RunState.of("running", head));
		send("run", this.run);
	}

	/** Sends the header of a round that begins. */
	synchronized void round(Object header) {
		flush();
		this.round = HistoryJson.line(header);
		send("round", this.round);
	}

	/** Adds an event of the current round. It is sent at the next {@link #tick}. */
	synchronized void happened(HistoryEvent event) {
		this.waiting.add(event);
	}

	/** Sends a message about the current round or the run. */
	synchronized void tell(String name, Object about) {
		flush();
		send(name, HistoryJson.line(about));
	}

	/** Sends what waits. It is called ten times a second. */
	synchronized void tick() {
		flush();
		if (System.nanoTime() - this.lastSent > this.heartbeat.heartbeat().toNanos()) {
			publish(ServerSentEventEncoder.event(id(this.last), POSITION, "-"));
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
		byte[] frame = ServerSentEventEncoder.event(id(++this.last), name, data);
		this.kept.add(new Kept(this.last, frame));
		this.keptBytes += frame.length;
		while (this.keptBytes > KEPT_BYTES) {
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
	 * The frames of a stream. A subscription opens the stream and its cancellation closes
	 * it.
	 * @param asked id of the last event that the page has received; empty if it has none
	 */
	Flux<byte[]> stream(Optional<String> asked) {
		return Flux.defer(() -> {
			LabSubscriber subscriber = new LabSubscriber(this.properties.buffer());
			List<byte[]> begin = attach(subscriber, asked);
			// Emptied when it is sent: the stream stays in memory for as long as it is
			// open.
			AtomicReference<List<byte[]>> first = new AtomicReference<>(begin);
			return begin.isEmpty() ? Flux.just(ServerSentEventEncoder.farewell())
					: subscriber.frames(Flux.defer(() -> Flux.fromIterable(first.getAndSet(List.of()))))
						.doFinally((signal) -> leave(subscriber));
		});
	}

	/**
	 * Adds the subscriber.
	 * @return the first frames of its stream; none when this instance is stopping. What
	 * is kept is not copied, however many pages read it
	 */
	private synchronized List<byte[]> attach(LabSubscriber subscriber, Optional<String> asked) {
		if (!this.open) {
			return List.of();
		}
		flush();
		this.subscribers.add(subscriber);
		ByteArrayOutputStream first = new ByteArrayOutputStream();
		long before = this.kept.isEmpty() ? this.last : this.kept.element().number() - 1;
		Optional<Long> from = asked.flatMap(this::number).filter((number) -> number >= before && number <= this.last);
		String id = id(from.orElse(before));
		first.writeBytes(ServerSentEventEncoder.opening(id, POSITION, "-", null));
		if (from.isEmpty()) {
			if (asked.isPresent()) {
				first.writeBytes(ServerSentEventEncoder.event(id, "reset", "{\"missed\":null}"));
			}
			if (before > 0 || this.kept.isEmpty()) {
				first.writeBytes(ServerSentEventEncoder.event(id, "run", this.run));
			}
			if (before > 0 && this.round != null) {
				first.writeBytes(ServerSentEventEncoder.event(id, "round", this.round));
			}
		}
		long after = from.orElse(before);
		List<byte[]> frames = new ArrayList<>();
		frames.add(first.toByteArray());
		this.kept.stream().filter((some) -> some.number() > after).forEach((some) -> frames.add(some.frame()));
		return frames;
	}

	/** The number in an event id; empty if the id belongs to another run. */
	private Optional<Long> number(String id) {
		Matcher parts = ID.matcher(id);
		return (parts.matches() && parts.group(1).equals(this.runId)) ? Optional.of(Long.parseLong(parts.group(2)))
				: Optional.empty();
	}

	private synchronized void leave(LabSubscriber subscriber) {
		this.subscribers.remove(subscriber);
	}

	/** The number of pages that watch. */
	synchronized int watchers() {
		return this.subscribers.size();
	}

	/**
	 * Ends all streams, and accepts no new ones. Each page reconnects after a random
	 * delay.
	 */
	synchronized void close() {
		this.open = false;
		this.subscribers.forEach(LabSubscriber::end);
		this.subscribers.clear();
	}

	private record Kept(long number, byte[] frame) {
	}

	/**
	 * The first message to a page.
	 *
	 * @param state idle or running
	 * @param run the current or the last run; null if there was none since the start
	 * @param texts the names in it, by the tag of the language
	 */
	record RunState(String state, @Nullable RunSummary run, Map<String, RunTexts> texts) {

		static RunState of(String state, @Nullable RunSummary run) {
			return new RunState(state, run,
					(run != null) ? LabWords.inEach((words) -> RunTexts.of(words, run)) : Map.of());
		}

	}

	/**
	 * The names in a run, in one language.
	 *
	 * @param title the title of the scenario
	 * @param engines the names of the engines, by their ids
	 */
	record RunTexts(String title, Map<String, String> engines) {

		static RunTexts of(LabWords words, RunSummary run) {
			return new RunTexts(LocalizedLabWords.title(words, run),
					run.engines().stream().distinct().collect(Collectors.toMap((label) -> label, words::engine)));
		}

	}

}
