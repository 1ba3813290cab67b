package live.retwis.faults;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

import live.retwis.faults.WorkloadPeople.Subscription;
import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.testing.EventStream;
import live.retwis.testing.Visitor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reads a stream like a browser whose connection often breaks. Whenever the connection
 * ends, it continues at its last position at a random instance. A restless reader also
 * ends the connection itself at random moments.
 */
final class ResumingReader implements Runnable {

	private static final Duration LOOK = Duration.ofMillis(50);

	private static final int SHORTEST_LIFE_MILLIS = 50;

	private static final int RESTLESS_LIFE_MILLIS = 1500;

	private static final int STEADY_LIFE_MILLIS = 600_000;

	private final Subscription subscription;

	private final LoadBalancer balancer;

	private final Random random;

	private final int life;

	/** Used only by the reader's own thread, until that has ended. */
	private final List<SeenEvent> seen = new ArrayList<>();

	private volatile String lastEventId = "";

	/** Positions at which the reader may stop; empty while more is to come. */
	private volatile Set<LogPosition> ends = Set.of();

	/** Where the log ended when the reader could stop for the first time. */
	private volatile LogPosition end = new LogPosition(0, 0, "");

	private volatile LateRestriction.End release = LateRestriction.End.NEVER;

	/**
	 * Index of the first event of the first connection after the reader had sent the end
	 * of the restriction.
	 */
	private int sinceRelease = Integer.MAX_VALUE;

	private ResumingReader(Subscription subscription, LoadBalancer balancer, Random random, int life) {
		this.subscription = subscription;
		this.balancer = balancer;
		this.random = random;
		this.life = life;
	}

	static ResumingReader restless(Subscription subscription, LoadBalancer balancer, Random random) {
		return new ResumingReader(subscription, balancer, random, RESTLESS_LIFE_MILLIS);
	}

	/** A reader that changes the instance only when its connection ends. */
	static ResumingReader steady(Subscription subscription, LoadBalancer balancer, Random random) {
		return new ResumingReader(subscription, balancer, random, STEADY_LIFE_MILLIS);
	}

	/** Whether the reader has a position. */
	boolean hasBegun() {
		return !this.lastEventId.isEmpty();
	}

	/**
	 * Lets the reader stop at the last entry in the log that must come. If it is called
	 * again with a longer log, the reader may have stopped before.
	 */
	void readToTheEndOf(List<LogEntry> log) {
		Predicate<LogEntry> wanted = reading().wantedOf(log);
		Set<LogPosition> places = new HashSet<>();
		for (int i = log.size() - 1; i >= 0; i--) {
			places.add(log.get(i).position());
			if (wanted.test(log.get(i))) {
				break;
			}
		}
		if (this.ends.isEmpty()) {
			this.end = log.get(log.size() - 1).position();
		}
		this.ends = places;
	}

	/** Whether this is the reader of the stream. */
	boolean reads(Subscription other) {
		return this.subscription == other;
	}

	/** The reader's restriction ends, or is about to end. */
	void released(LateRestriction.End known) {
		this.release = known;
	}

	/** Everything that the reader has seen, after it has stopped. */
	ReaderLog reading() {
		return new ReaderLog(this.subscription.path() + " of " + this.subscription.visitor().name(),
				this.subscription.visitor().id(), this.subscription.posts(),
				this.subscription.restriction().with(this.release), this.end, this.seen, this.sinceRelease);
	}

	@Override
	public void run() {
		while (!isAtTheEnd(this.seen)) {
			try (EventStream stream = open()) {
				if (this.release != LateRestriction.End.NEVER) {
					this.sinceRelease = Math.min(this.sinceRelease, this.seen.size());
				}
				assertThat(stream.status()).as(this.subscription.path()).isEqualTo(200);
				read(stream);
			}
			catch (UncheckedIOException ex) {
				// No instance answers. Try again, maybe at another one.
				ThinkTime.upTo(ThinkTime.SHORT, this.random);
			}
		}
	}

	/**
	 * A browser sends its last event id. The address of the page may have a position too.
	 */
	private EventStream open() {
		Visitor visitor = this.subscription.visitor().sentTo(this.balancer.any(this.random));
		if (this.lastEventId.isEmpty()) {
			return visitor.open(this.subscription.path());
		}
		return this.random.nextBoolean() ? visitor.open(this.subscription.path(), "Last-Event-ID", this.lastEventId)
				: visitor.open(this.subscription.path() + "?after=" + this.lastEventId);
	}

	private void read(EventStream stream) {
		long end = System.nanoTime()
				+ Duration.ofMillis(SHORTEST_LIFE_MILLIS + this.random.nextInt(this.life - SHORTEST_LIFE_MILLIS))
					.toNanos();
		List<SeenEvent> events = seen(stream);
		while (!isAtTheEnd(events) && System.nanoTime() < end && !stream.endsWithin(LOOK)) {
			events = look(stream);
		}
		this.seen.addAll(look(stream));
		if (events.isEmpty()) {
			ThinkTime.upTo(ThinkTime.SHORT, this.random);
		}
	}

	private List<SeenEvent> look(EventStream stream) {
		List<SeenEvent> events = seen(stream);
		if (!events.isEmpty()) {
			this.lastEventId = events.get(events.size() - 1).position().toString();
		}
		return events;
	}

	private static List<SeenEvent> seen(EventStream stream) {
		return stream.events().stream().map(SeenEvent::of).toList();
	}

	private boolean isAtTheEnd(List<SeenEvent> events) {
		Set<LogPosition> places = this.ends;
		return events.stream().anyMatch((one) -> places.contains(one.position()));
	}

}
