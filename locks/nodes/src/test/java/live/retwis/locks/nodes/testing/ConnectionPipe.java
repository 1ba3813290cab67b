package live.retwis.locks.nodes.testing;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * One direction of a connection. One thread reads, another writes what has passed the
 * obstacles, so that a delay is one of each frame and does not add up over them.
 */
final class ConnectionPipe {

	/** With more the sender waits, as before a real way that is full. */
	private static final int FRAMES = 10_000;

	private static final byte[] NOTHING = {};

	private final BlockingQueue<RespFrame> frames = new LinkedBlockingQueue<>(FRAMES);

	private final ProxiedConnection link;

	private final ProxyDirection direction;

	private final Socket from;

	private final Socket to;

	/** Nothing arrives any more. */
	private boolean lost;

	ConnectionPipe(ProxiedConnection link, ProxyDirection direction, Socket from, Socket to) {
		this.link = link;
		this.direction = direction;
		this.from = from;
		this.to = to;
	}

	/** Takes in until the sender ends. */
	void read() throws IOException, InterruptedException {
		RespFrameReader reader = new RespFrameReader(this.from.getInputStream());
		RespFrame frame;
		do {
			frame = next(reader);
			this.frames.put(frame);
		}
		while (!frame.isEnd());
	}

	private RespFrame next(RespFrameReader reader) {
		try {
			byte[] bytes = reader.next();
			return new RespFrame(this.link, bytes, this.direction, command(bytes, reader));
		}
		catch (IOException ex) {
			return new RespFrame(this.link, NOTHING, this.direction, null);
		}
	}

	private @Nullable SentCommand command(byte[] bytes, RespFrameReader reader) {
		if (bytes.length == 0 || !reader.isRedis()) {
			return null;
		}
		return (this.direction == ProxyDirection.TO_SERVER) ? SentCommand.of(reader.words())
				: this.link.dialogue().answeredBy(bytes, reader.words());
	}

	/** Passes on until the connection is closed. */
	void write() throws IOException, InterruptedException {
		while (true) {
			RespFrame first = this.frames.take();
			RoundTrips roundTrips = this.link.obstacles().roundTrips();
			List<RespFrame> batch = batch(first, roundTrips.quietNanos());
			if (this.direction == ProxyDirection.TO_SERVER) {
				roundTrips.add(batch.stream().map(RespFrame::command).filter(Objects::nonNull).toList());
			}
			for (RespFrame frame : batch) {
				pass(frame);
			}
		}
	}

	/** That frame and all that come until it is quiet. */
	private List<RespFrame> batch(RespFrame first, long quietNanos) throws InterruptedException {
		if (quietNanos == 0) {
			return List.of(first);
		}
		List<RespFrame> batch = new ArrayList<>();
		for (RespFrame frame = first; frame != null; frame = this.frames.poll(quietNanos, TimeUnit.NANOSECONDS)) {
			batch.add(frame);
		}
		return batch;
	}

	private void pass(RespFrame frame) throws IOException, InterruptedException {
		FrameVerdict passage = this.link.obstacles().pass(frame);
		switch (passage.verdict()) {
			case CUT -> this.link.close();
			case LOST -> this.lost = true;
			case OPEN -> deliver(passage.frame());
		}
	}

	private void deliver(RespFrame frame) throws IOException {
		if (frame.isEnd()) {
			end();
		}
		else if (!this.lost) {
			if (this.direction == ProxyDirection.TO_SERVER && frame.command() != null) {
				this.link.dialogue().asks(frame.command());
			}
			write(frame.bytes());
		}
	}

	private void write(byte[] bytes) throws IOException {
		try {
			this.to.getOutputStream().write(bytes);
		}
		catch (IOException ex) {
			if (this.direction == ProxyDirection.TO_SERVER) {
				throw ex;
			}
			// The client is gone; what it said may still be on its way.
			this.lost = true;
		}
	}

	private void end() throws IOException {
		if (this.direction == ProxyDirection.TO_SERVER) {
			this.to.shutdownOutput();
		}
		else {
			this.link.close();
		}
	}

}
