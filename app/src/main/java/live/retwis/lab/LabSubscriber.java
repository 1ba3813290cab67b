package live.retwis.lab;

import live.retwis.live.EventFrame;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.util.concurrent.Queues;

/**
 * One page that watches, with a bounded buffer.
 */
final class LabSubscriber {

	private final Sinks.Many<byte[]> buffer;

	private final Sinks.Empty<Void> cut = Sinks.empty();

	/**
	 * Without anything sent.
	 * @param capacity events that it may lag
	 */
	LabSubscriber(int capacity) {
		this.buffer = Sinks.many().unicast().onBackpressureBuffer(Queues.<byte[]>get(capacity).get());
	}

	/** What was sent, until it is ended or cut off. */
	Flux<byte[]> frames() {
		return this.buffer.asFlux().takeUntilOther(this.cut.asMono());
	}

	/**
	 * Sends an event; one that lags too far is cut off, and comes back to where it was.
	 * @return whether it goes on
	 */
	boolean send(byte[] frame) {
		boolean taken = this.buffer.tryEmitNext(frame).isSuccess();
		if (!taken) {
			this.cut.tryEmitEmpty();
		}
		return taken;
	}

	/** Ends it after what is in its buffer. */
	void end() {
		send(EventFrame.farewell());
		this.buffer.tryEmitComplete();
	}

}
