package live.retwis.locks.nodes.testing;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import live.retwis.locks.nodes.testing.FrameVerdict.Verdict;

/**
 * A fault that stops, loses or changes frames, and counts them.
 */
public final class Interception implements ProxyFault {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final Predicate<RespFrame> where;

	private final Effect effect;

	private final UnaryOperator<byte[]> rewriting;

	private int met;

	private long heldBytes;

	private boolean undone;

	Interception(Predicate<RespFrame> where, Effect effect) {
		this(where, effect, UnaryOperator.identity());
	}

	Interception(Predicate<RespFrame> where, Effect effect, UnaryOperator<byte[]> rewriting) {
		this.where = where;
		this.effect = effect;
		this.rewriting = rewriting;
	}

	/** Waits up to 10 s until the first frame has met the fault. */
	public void awaitMet() {
		awaitMet(1);
	}

	/**
	 * Waits up to 10 s until this many frames have met the fault.
	 * @throws AssertionError when this takes longer
	 */
	public void awaitMet(int times) {
		awaitMet(times, BOUND);
	}

	synchronized void awaitMet(int times, Duration bound) {
		long end = System.nanoTime() + bound.toNanos();
		try {
			while (this.met < times) {
				long millis = Duration.ofNanos(end - System.nanoTime()).toMillis();
				if (millis <= 0) {
					throw new AssertionError("Met " + this.met + " of " + times + " in " + bound);
				}
				wait(millis);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError("Interrupted", ex);
		}
	}

	/** The number of commands, replies or chunks that have met the fault. */
	public synchronized int met() {
		return this.met;
	}

	/**
	 * The number of bytes that are held now, which is the first frame of each connection.
	 * Later frames wait behind it and are not counted.
	 */
	public synchronized long heldBytes() {
		return this.heldBytes;
	}

	/** Lets held frames pass. Lost frames and broken connections stay as they are. */
	@Override
	public synchronized void close() {
		this.undone = true;
		notifyAll();
	}

	synchronized boolean isUndone() {
		return this.undone;
	}

	/**
	 * What happens to the frame. Blocks while the frame is held.
	 * @throws InterruptedException when the connection is closed meanwhile
	 */
	synchronized FrameVerdict pass(RespFrame frame) throws InterruptedException {
		if (this.undone || !this.where.test(frame)) {
			return open(frame);
		}
		if (!frame.isEnd()) {
			this.met++;
			notifyAll();
		}
		return switch (this.effect) {
			case WATCH -> open(frame);
			case REWRITE -> open(frame.with(this.rewriting.apply(frame.bytes())));
			case LOSE -> new FrameVerdict(Verdict.LOST, frame);
			case CUT -> new FrameVerdict(Verdict.CUT, frame);
			case HOLD -> hold(frame);
		};
	}

	private static FrameVerdict open(RespFrame frame) {
		return new FrameVerdict(Verdict.OPEN, frame);
	}

	private FrameVerdict hold(RespFrame frame) throws InterruptedException {
		this.heldBytes += frame.bytes().length;
		try {
			while (!this.undone) {
				wait();
			}
			return open(frame);
		}
		finally {
			this.heldBytes -= frame.bytes().length;
		}
	}

	/** What the fault does to a frame. */
	enum Effect {

		WATCH, REWRITE, HOLD, LOSE, CUT

	}

}
