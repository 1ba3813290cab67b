package live.retwis.lab;

import live.retwis.live.ServerSentEventEncoder;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.util.concurrent.Queues;

/**
 * The stream of one open page, with a bounded buffer.
 */
final class LabSubscriber {

	private final Sinks.Many<byte[]> buffer;

	private final Sinks.Empty<Void> cut = Sinks.empty();

	/**
	 * Creates a stream without events.
	 * @param capacity events that can wait in the buffer
	 */
	LabSubscriber(int capacity) {
		this.buffer = Sinks.many().unicast().onBackpressureBuffer(Queues.<byte[]>get(capacity).get());
	}

	/**
	 * The frames, until the stream is ended or cut off.
	 * @param first come before those in the buffer
	 */
	Flux<byte[]> frames(Flux<byte[]> first) {
		return first.concatWith(this.buffer.asFlux()).takeUntilOther(this.cut.asMono());
	}

	/**
	 * Sends an event. If the buffer is full, the stream is cut off; the page reconnects
	 * and continues where it was.
	 * @return false if the stream was cut off
	 */
	boolean send(byte[] frame) {
		boolean taken = this.buffer.tryEmitNext(frame).isSuccess();
		if (!taken) {
			this.cut.tryEmitEmpty();
		}
		return taken;
	}

	/** Ends the stream after the frames that are in the buffer. */
	void end() {
		send(ServerSentEventEncoder.farewell());
		this.buffer.tryEmitComplete();
	}

}
