package live.retwis.live;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import live.retwis.redis.LogEntry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.Sinks.EmitResult;
import reactor.util.concurrent.Queues;

/**
 * One open stream: whose posts it wants, and a bounded buffer before its socket. Used on
 * the feed's thread only, but for the events that the socket takes from it.
 */
class Subscriber {

	private final Interest interest;

	private final Sinks.Many<byte[]> buffer;

	private final Sinks.Empty<Void> cut = Sinks.empty();

	/** Authors whose posts it wants. */
	private final Set<String> authors = new HashSet<>();

	/** Follow entries that came while whom the user follows was being read. */
	private final List<LogEntry> early = new ArrayList<>();

	private boolean attached;

	private boolean behind;

	private long lastSent = System.nanoTime();

	/** When its life is over, by {@link System#nanoTime}. */
	private long endsAt = Long.MAX_VALUE;

	Subscriber(Interest interest, int capacity) {
		this.interest = interest;
		this.buffer = Sinks.many().unicast().onBackpressureBuffer(Queues.<byte[]>get(capacity).get());
	}

	Interest interest() {
		return this.interest;
	}

	/** The events, until the stream is ended or cut off. */
	Flux<byte[]> events() {
		return this.buffer.asFlux().takeUntilOther(this.cut.asMono());
	}

	/**
	 * Goes live. What was read of whom the user follows may be older than the follow
	 * entries that came meanwhile, so these are applied to it.
	 */
	void attach(Collection<String> followed) {
		this.authors.addAll(followed);
		if (this.interest.kind() != Interest.Kind.EVERYONE) {
			this.authors.add(this.interest.userId());
		}
		this.attached = true;
		this.early.forEach(this::follow);
		this.early.clear();
	}

	/** A follow or unfollow entry of this stream's user. */
	void follow(LogEntry entry) {
		if (!this.attached) {
			this.early.add(entry);
		}
		else if (entry.type() == LogEntry.Type.FOLLOW) {
			this.authors.add(entry.other());
		}
		else {
			this.authors.remove(entry.other());
		}
	}

	boolean isAttached() {
		return this.attached;
	}

	Set<String> authors() {
		return this.authors;
	}

	/** Whether an entry is part of this stream. */
	boolean wants(LogEntry entry) {
		return switch (entry.type()) {
			case POST -> this.interest.kind() == Interest.Kind.EVERYONE || this.authors.contains(entry.user());
			case DELETE -> true;
			default -> false;
		};
	}

	/**
	 * Puts an event before the socket.
	 * @return false when the buffer is full, and the subscriber is cut off, or when the
	 * stream is over
	 */
	boolean offer(byte[] frame) {
		EmitResult result = this.buffer.tryEmitNext(frame);
		if (result.isFailure()) {
			this.behind = result != EmitResult.FAIL_CANCELLED && result != EmitResult.FAIL_TERMINATED;
			this.cut.tryEmitEmpty();
			return false;
		}
		this.lastSent = System.nanoTime();
		return true;
	}

	/** Whether it was cut off. */
	boolean isBehind() {
		return this.behind;
	}

	/** Ends the stream after what is in its buffer. */
	void end() {
		this.buffer.tryEmitComplete();
	}

	/** Gives it that many nanoseconds to live. */
	void live(long nanos) {
		this.endsAt = System.nanoTime() + nanos;
	}

	/** Whether its life is over. */
	boolean isOld(long now) {
		return this.endsAt - now <= 0;
	}

	/** Nanoseconds since the last event. */
	long quietFor(long now) {
		return now - this.lastSent;
	}

}
