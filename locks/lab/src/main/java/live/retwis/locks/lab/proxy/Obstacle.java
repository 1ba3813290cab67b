package live.retwis.locks.lab.proxy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * What stands in the way of some commands or replies on one link until it is removed. A
 * connection keeps its order: what follows waits too, or is lost too.
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

	/** What it does to what it meets. */
	public enum Effect {

		/** Keeps it until the obstacle is removed, then lets it go on. */
		HOLD,

		/** Loses it, and all that follows on its connection, which stays open. */
		LOSE,

		/** Lets it go on later than it came. */
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

	/** Delays all commands by that time after their arrival. */
	public static Obstacle delay(Duration delay) {
		return new Obstacle(TrafficDirection.TO_NODE, (command) -> true, Effect.DELAY, delay);
	}

	/** How many commands or replies it has met. */
	public int met() {
		return this.met.get();
	}

	/** How many bytes these had. */
	public long bytes() {
		return this.bytes.get();
	}

	public Effect effect() {
		return this.effect;
	}

	boolean isInTheWayOf(RespMessage frame) {
		return !this.gone && frame.way() == this.way && frame.command() != null && this.commands.test(frame.command());
	}

	/** The frame when it may go on; nothing when it is lost. */
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
