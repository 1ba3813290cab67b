package live.retwis.locks.nodes.testing;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import live.retwis.locks.nodes.testing.FrameVerdict.Verdict;

/**
 * A fault that strikes frames on their way, and tells which it has met.
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

	/** Waits until it has met its first one: 10 s at most. */
	public void awaitMet() {
		awaitMet(1);
	}

	/**
	 * Waits until it has met that many, at most 10 s.
	 * @throws AssertionError when that is over
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

	/** How many commands, replies or chunks it has met so far. */
	public synchronized int met() {
		return this.met;
	}

	/**
	 * How many bytes it holds now: the first frame of each connection. What was sent
	 * later waits behind that and is not counted.
	 */
	public synchronized long heldBytes() {
		return this.heldBytes;
	}

	/** What is held goes on its way; what was lost or cut stays so. */
	@Override
	public synchronized void close() {
		this.undone = true;
		notifyAll();
	}

	synchronized boolean isUndone() {
		return this.undone;
	}

	/**
	 * What becomes of that frame here; waits while it is held.
	 * @throws InterruptedException when its connection is closed meanwhile
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

	/** What it does to those that it meets. */
	enum Effect {

		WATCH, REWRITE, HOLD, LOSE, CUT

	}

}
