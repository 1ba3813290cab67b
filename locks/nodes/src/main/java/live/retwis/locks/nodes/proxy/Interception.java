package live.retwis.locks.nodes.proxy;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A fault that strikes commands, replies or chunks on their way, and tells which it has
 * met.
 */
public final class Interception implements FaultHandle {

	private static final Duration BOUND = Duration.ofSeconds(30);

	private final ActiveInterceptions interceptions;

	private final Predicate<ProxyFrame> where;

	private final Effect effect;

	private final Duration delay;

	private final UnaryOperator<byte[]> rewriting;

	private int met;

	private long bytes;

	private boolean undone;

	/** What it does to the commands or replies that it meets. */
	enum Effect {

		/** They go on, perhaps rewritten. */
		PASS,

		/** They go on when they have been here for a while. */
		DELAY,

		/** They go on when it is undone. */
		HOLD,

		/** They are gone, with all that comes after them on their connection. */
		LOSE,

		/** Their connection breaks. */
		CUT

	}

	private Interception(ActiveInterceptions interceptions, Predicate<ProxyFrame> where, Effect effect, Duration delay,
			UnaryOperator<byte[]> rewriting) {
		this.interceptions = interceptions;
		this.where = where;
		this.effect = effect;
		this.delay = delay;
		this.rewriting = rewriting;
	}

	Interception(ActiveInterceptions interceptions, Predicate<ProxyFrame> where, Effect effect) {
		this(interceptions, where, effect, Duration.ZERO, UnaryOperator.identity());
	}

	static Interception delaying(ActiveInterceptions interceptions, Predicate<ProxyFrame> where, Duration delay) {
		return new Interception(interceptions, where, Effect.DELAY, delay, UnaryOperator.identity());
	}

	static Interception rewriting(ActiveInterceptions interceptions, Predicate<ProxyFrame> where,
			UnaryOperator<byte[]> rewriting) {
		return new Interception(interceptions, where, Effect.PASS, Duration.ZERO, rewriting);
	}

	/** Waits until it has met its first one: 30 s at most. */
	public void awaitMet() {
		awaitMet(1);
	}

	/**
	 * Waits until it has met that many, at most 30 s.
	 * @throws IllegalStateException when that is over
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
					throw new IllegalStateException("Met " + this.met + " of " + times + " in " + bound);
				}
				wait(millis);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted", ex);
		}
	}

	/** How many commands, replies or chunks it has met so far. */
	public synchronized int met() {
		return this.met;
	}

	/** How many bytes these had. */
	public synchronized long bytes() {
		return this.bytes;
	}

	/**
	 * What is held goes on its way. Connections on which something was lost are of no
	 * more use, so they break.
	 */
	@Override
	public void close() {
		synchronized (this) {
			this.undone = true;
		}
		this.interceptions.remove(this);
	}

	synchronized boolean isUndone() {
		return this.undone;
	}

	Effect effect() {
		return this.effect;
	}

	/** How much longer it delays that frame. */
	long nanosLeft(ProxyFrame frame) {
		return this.delay.toNanos() - (System.nanoTime() - frame.arrived());
	}

	/** Whether that frame cannot go on now. Each frame is met once. */
	synchronized boolean stops(ProxyFrame frame) {
		return !this.undone && frame.struckBy().computeIfAbsent(this, (self) -> meets(frame)) && switch (this.effect) {
			case PASS -> false;
			case DELAY -> nanosLeft(frame) > 0;
			case HOLD, LOSE, CUT -> true;
		};
	}

	private boolean meets(ProxyFrame frame) {
		boolean meets = this.where.test(frame);
		if (meets && !frame.isEnd()) {
			this.met++;
			this.bytes += frame.length();
			frame.rewrite(this.rewriting);
			notifyAll();
		}
		return meets;
	}

}
