package live.retwis.live;

import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.Executor;

import reactor.core.publisher.Flux;

/**
 * Where the events of one stream go: its socket, and a bounded buffer before it. Used on
 * its executor only.
 */
interface StreamOutlet {

	/**
	 * How long the socket may take for what is left when the stream ends. A reader that
	 * is there has it in a second, also on a slow line, as it is no more than a buffer;
	 * of a long replay it comes back for the rest. It is no longer, because until then a
	 * stream that nobody reads costs as much as one that is read, and a server that stops
	 * waits for it.
	 */
	Duration END_LIMIT = Duration.ofSeconds(10);

	/** The one thread on which everything about the stream happens. */
	Executor executor();

	/**
	 * The body of the answer, as far as it goes through the web framework, whose end need
	 * not be the stream's. Cancelling closes the outlet.
	 */
	Flux<byte[]> body();

	/** Runs it on the executor when nobody reads the stream any more. */
	void onClose(Runnable listener);

	/** Events that come before all others, taken as the socket takes them. Once only. */
	void replay(Iterator<byte[]> frames);

	/** Sends an event, or keeps it until the socket takes it. */
	Taken write(byte[] frame);

	/**
	 * Ends the stream after what is in the buffer. What the socket does not take within
	 * {@link #END_LIMIT} is not sent: the stream is cut off.
	 */
	void end();

	/** Closes the stream at once: what is in the buffer is not sent. */
	void cutOff();

	/** What became of an event. */
	enum Taken {

		/** It is on its way. */
		YES,
		/** The buffer is full: the stream is cut off. */
		CUT_OFF,
		/** The stream is over. */
		OVER

	}

}
