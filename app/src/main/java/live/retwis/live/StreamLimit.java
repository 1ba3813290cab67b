package live.retwis.live;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.limit.RateLimit;
import live.retwis.limit.RateLimiter;
import live.retwis.logging.RareWarning;
import live.retwis.redis.CommandRecorderContext;
import live.retwis.web.ConnectionCapacity;
import live.retwis.web.RateLimitAddress;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/**
 * Bounds the open streams of each client address, of each session, and of all together. A
 * stream beyond that gets a {@code retry:} and ends, because a browser gives up for good
 * on an error status. Each instance counts its own streams: streams take files and memory
 * of the instance that serves them. How often an address opens streams is bounded for all
 * instances together: a stream begins with a search through all that it may have missed.
 */
@Component
public class StreamLimit {

	/**
	 * A stream that is refused comes back after this time. Others may have ended then.
	 */
	private static final int SHORTEST_RETRY_MILLIS = 3_000;

	private static final int LONGEST_RETRY_MILLIS = 10_000;

	private final RareWarning warning = new RareWarning(LoggerFactory.getLogger(StreamLimit.class),
			"Too many streams: {} refused since the last such line, the latest from {}");

	private final Map<String, Integer> byClient = new ConcurrentHashMap<>();

	private final AtomicInteger open = new AtomicInteger();

	private final int most;

	private final int mostByAddress;

	private final int mostBySession;

	private final RateLimiter limiter;

	private final Counter refused;

	StreamLimit(StreamLimitProperties properties, @Value("${retwis.limits.enabled:true}") boolean byClient,
			ConnectionCapacity ceiling, RateLimiter limiter, MeterRegistry meters) {
		this.limiter = limiter;
		this.most = ceiling.streams();
		this.mostByAddress = byClient ? properties.streamsByAddress() : Integer.MAX_VALUE;
		this.mostBySession = byClient ? properties.streamsBySession() : Integer.MAX_VALUE;
		this.refused = meters.counter("retwis.live.refused");
	}

	/**
	 * The frames of a stream, or only a {@code retry:}. The stream is counted from the
	 * subscription on.
	 * @param session hash of the token of the session; empty for a signed-out client
	 * @param stream creates the frames. It gets a task that it has to run as soon as the
	 * stream is over, and may run more than once
	 */
	public Flux<byte[]> within(ServerWebExchange exchange, String session, Function<Runnable, Flux<byte[]>> stream) {
		return Flux.defer(() -> {
			String address = RateLimitAddress.of(exchange);
			if (!take(address, session)) {
				return refuse(address);
			}
			AtomicBoolean over = new AtomicBoolean();
			Runnable end = () -> {
				if (over.compareAndSet(false, true)) {
					giveBack(address, session);
				}
			};
			return wait(address).doOnCancel(end).doOnError((error) -> end.run()).flatMapMany((wait) -> {
				if (wait.isZero()) {
					return stream.apply(end);
				}
				end.run();
				return refuse(address);
			});
		});
	}

	/** The future lets go of the operators that counted: a stream lives long. */
	private Mono<Duration> wait(String address) {
		return CommandRecorderContext
			.fromFuture(() -> CommandRecorderContext.toFuture(this.limiter.take(RateLimit.STREAMS, address)));
	}

	private Flux<byte[]> refuse(String address) {
		this.refused.increment();
		this.warning.warn(address);
		return Flux.just(ServerSentEventEncoder.retry(
				Duration.ofMillis(ThreadLocalRandom.current().nextInt(SHORTEST_RETRY_MILLIS, LONGEST_RETRY_MILLIS))));
	}

	/** Counts first and then compares, so that no two streams get the last place. */
	private boolean take(String address, String session) {
		boolean room = this.open.incrementAndGet() <= this.most;
		room &= count(address, 1) <= this.mostByAddress;
		room &= session.isEmpty() || count(session, 1) <= this.mostBySession;
		if (!room) {
			giveBack(address, session);
		}
		return room;
	}

	private void giveBack(String address, String session) {
		this.open.decrementAndGet();
		count(address, -1);
		if (!session.isEmpty()) {
			count(session, -1);
		}
	}

	/** The number of open streams of this client after the change. */
	private int count(String client, int change) {
		Integer number = this.byClient.merge(client, change,
				(before, more) -> (before + more > 0) ? before + more : null);
		return (number != null) ? number : 0;
	}

}
