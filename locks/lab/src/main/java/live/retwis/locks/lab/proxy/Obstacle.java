package live.retwis.locks.lab.proxy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Stands in the way of some commands or replies on one link, until it is removed. A
 * connection keeps its order: what follows on it waits too, or is lost too.
 */
public final class Obstacle {

	private final TrafficDirection way;

	private final Predicate<RedisCommand> commands;

	private final Effect effect;

	private final Duration delay;

	private final AtomicInteger met = new AtomicInteger();

	private final AtomicLong bytes = new AtomicLong();

	private final Sinks.Empty<Void> removed = Sinks.empty();

	private volatile boolean gone;

	/** What it does to the commands or replies that it meets. */
	public enum Effect {

		/** Keeps it until the obstacle is removed, and then lets it go on. */
		HOLD,

		/**
		 * Loses it, and everything that follows on its connection. The connection stays
		 * open.
		 */
		LOSE,

		/** Lets it go on some time after it came. */
		DELAY

	}

	private Obstacle(TrafficDirection way, Predicate<RedisCommand> commands, Effect effect, Duration delay) {
		this.way = way;
		this.commands = commands;
		this.effect = effect;
		this.delay = delay;
	}

	public static Obstacle of(TrafficDirection way, Predicate<RedisCommand> commands, Effect effect) {
		return new Obstacle(way, commands, effect, Duration.ZERO);
	}

	/** Delays all commands, each by that time after its arrival. */
	public static Obstacle delay(Duration delay) {
		return new Obstacle(TrafficDirection.TO_NODE, (command) -> true, Effect.DELAY, delay);
	}

	/** How many commands or replies it has met. */
	public int met() {
		return this.met.get();
	}

	/** How many bytes these commands or replies had. */
	public long bytes() {
		return this.bytes.get();
	}

	public Effect effect() {
		return this.effect;
	}

	boolean isInTheWayOf(RespMessage frame) {
		return !this.gone && frame.way() == this.way && frame.command() != null && this.commands.test(frame.command());
	}

	/** Completes with the message when it may go on. Empty when the message is lost. */
	Mono<RespMessage> pass(RespMessage frame) {
		this.met.incrementAndGet();
		this.bytes.addAndGet(frame.bytes().length);
		return switch (this.effect) {
			case HOLD -> this.removed.asMono().thenReturn(frame);
			case LOSE -> Mono.empty();
			case DELAY ->
				Mono.delay(this.delay.minusNanos(Math.min(System.nanoTime() - frame.arrived(), this.delay.toNanos())))
					.thenReturn(frame);
		};
	}

	void remove() {
		this.gone = true;
		this.removed.tryEmitEmpty();
	}

}
