package live.retwis.locks.testing;

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
final class Pipe {

	/** With more the sender waits, as before a real way that is full. */
	private static final int FRAMES = 10_000;

	private static final byte[] NOTHING = {};

	private final BlockingQueue<Frame> frames = new LinkedBlockingQueue<>(FRAMES);

	private final Link link;

	private final Direction direction;

	private final Socket from;

	private final Socket to;

	/** Nothing arrives any more. */
	private boolean lost;

	Pipe(Link link, Direction direction, Socket from, Socket to) {
		this.link = link;
		this.direction = direction;
		this.from = from;
		this.to = to;
	}

	/** Takes in until the sender ends. */
	void read() throws IOException, InterruptedException {
		FrameReader reader = new FrameReader(this.from.getInputStream());
		Frame frame;
		do {
			frame = next(reader);
			this.frames.put(frame);
		}
		while (!frame.isEnd());
	}

	private Frame next(FrameReader reader) {
		try {
			byte[] bytes = reader.next();
			return new Frame(this.link, bytes, this.direction, command(bytes, reader));
		}
		catch (IOException ex) {
			return new Frame(this.link, NOTHING, this.direction, null);
		}
	}

	private @Nullable Command command(byte[] bytes, FrameReader reader) {
		if (bytes.length == 0 || !reader.isRedis()) {
			return null;
		}
		return (this.direction == Direction.TO_SERVER) ? Command.of(reader.words())
				: this.link.dialogue().answeredBy(bytes, reader.words());
	}

	/** Passes on until the connection is closed. */
	void write() throws IOException, InterruptedException {
		while (true) {
			Frame first = this.frames.take();
			RoundTrips roundTrips = this.link.obstacles().roundTrips();
			List<Frame> batch = batch(first, roundTrips.quietNanos());
			if (this.direction == Direction.TO_SERVER) {
				roundTrips.add(batch.stream().map(Frame::command).filter(Objects::nonNull).toList());
			}
			for (Frame frame : batch) {
				pass(frame);
			}
		}
	}

	/** That frame and all that come until it is quiet. */
	private List<Frame> batch(Frame first, long quietNanos) throws InterruptedException {
		if (quietNanos == 0) {
			return List.of(first);
		}
		List<Frame> batch = new ArrayList<>();
		for (Frame frame = first; frame != null; frame = this.frames.poll(quietNanos, TimeUnit.NANOSECONDS)) {
			batch.add(frame);
		}
		return batch;
	}

	private void pass(Frame frame) throws IOException, InterruptedException {
		Passage passage = this.link.obstacles().pass(frame);
		switch (passage.verdict()) {
			case CUT -> this.link.close();
			case LOST -> this.lost = true;
			case OPEN -> deliver(passage.frame());
		}
	}

	private void deliver(Frame frame) throws IOException {
		if (frame.isEnd()) {
			end();
		}
		else if (!this.lost) {
			if (this.direction == Direction.TO_SERVER && frame.command() != null) {
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
			if (this.direction == Direction.TO_SERVER) {
				throw ex;
			}
			// The client is gone; what it said may still be on its way.
			this.lost = true;
		}
	}

	private void end() throws IOException {
		if (this.direction == Direction.TO_SERVER) {
			this.to.shutdownOutput();
		}
		else {
			this.link.close();
		}
	}

}
