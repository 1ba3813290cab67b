package live.retwis.live;

import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.Executor;

import reactor.core.publisher.Flux;

/**
 * Writes the events of one stream: a socket, and a bounded buffer in front of it. Used on
 * its executor only.
 */
interface StreamOutlet {

	/**
	 * How long the socket may take for the rest when the stream ends. A reader that is
	 * present takes it within a second, even on a slow line, because the rest is at most
	 * one buffer. Only a long replay takes longer, and its browser reconnects for the
	 * rest. The limit is short because until then a stream that nobody reads costs as
	 * much as any other, and a server that stops waits for it.
	 */
	Duration END_LIMIT = Duration.ofSeconds(10);

	/** The only thread that works on the stream. */
	Executor executor();

	/**
	 * The part of the answer that goes through the web framework. The stream may continue
	 * after this part ends. Cancelling closes the outlet.
	 */
	Flux<byte[]> body();

	/**
	 * Sets a listener that runs on the executor when nobody reads the stream any more.
	 */
	void onClose(Runnable listener);

	/**
	 * Sends events before all others, as fast as the socket takes them. Call at most
	 * once.
	 */
	void replay(Iterator<byte[]> frames);

	/** Sends an event, or buffers it until the socket takes it. */
	Taken write(byte[] frame);

	/**
	 * Ends the stream after sending what is in the buffer. If the socket does not take it
	 * within {@link #END_LIMIT}, the stream is cut off.
	 */
	void end();

	/** Closes the stream at once, without sending what is in the buffer. */
	void cutOff();

	/** The result of sending an event. */
	enum Taken {

		/** The event is sent or buffered. */
		YES,
		/** The buffer was full, so the stream was cut off. */
		CUT_OFF,
		/** The stream was already over. */
		OVER

	}

}
