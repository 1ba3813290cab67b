package live.retwis.limit;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.redis.Availability;
import live.retwis.redis.CommandRecording;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Counts what is done and says how long to wait. It counts first, in one atomic step, so
 * that many requests at the same moment are not allowed more than one after the other.
 * <p>
 * Limits must not make the site less available than its data. While Redis does not
 * answer, everything is allowed. Then only one request at a time asks whether Redis is
 * back, and no request waits for that.
 */
@Component
public class RateLimiter {

	private static final Logger log = LoggerFactory.getLogger(RateLimiter.class);

	private final RateLimitProperties properties;

	private final SharedBuckets buckets;

	private final Map<RateLimit, Counter> refused;

	private final Counter uncounted;

	/** Whether the last question was not answered in time. */
	private final AtomicBoolean away = new AtomicBoolean();

	private final AtomicBoolean asking = new AtomicBoolean();

	RateLimiter(RateLimitProperties properties, SharedBuckets buckets, MeterRegistry meters) {
		this.properties = properties;
		this.buckets = buckets;
		this.refused = Arrays.stream(RateLimit.values())
			.collect(Collectors.toMap(Function.identity(),
					(limit) -> meters.counter("retwis.limits.refused", "rule", limit.toString()), (one, other) -> one,
					() -> new EnumMap<>(RateLimit.class)));
		this.uncounted = meters.counter("retwis.limits.uncounted");
	}

	/**
	 * Counts once, unless the limit is reached.
	 * @param subject who is counted. It belongs to the time for which a request waits
	 * @return zero when it is allowed; else the time until it is allowed again
	 */
	public Mono<Duration> take(RateLimit limit, Mono<String> subject) {
		return Mono.deferContextual((context) -> {
			if (!this.properties.enabled()) {
				return Mono.just(Duration.ZERO);
			}
			boolean knownAway = this.away.get();
			if (knownAway && !this.asking.compareAndSet(false, true)) {
				return letThrough();
			}
			CompletableFuture<Duration> asked = subject.flatMap((who) -> take(limit, who))
				.contextWrite(context)
				.toFuture();
			asked.whenComplete((wait, error) -> answered(error));
			return knownAway ? letThrough()
					: Mono.fromFuture(asked, true).timeout(this.properties.timeout()).onErrorResume((error) -> {
						lost(error);
						return letThrough();
					});
		});
	}

	private Mono<Duration> take(RateLimit limit, String subject) {
		return CommandRecording.fromFuture(() -> bucket(limit, subject).tryConsumeAndReturnRemaining(1))
			.map(RateLimiter::wait)
			.doOnNext((wait) -> count(limit, wait));
	}

	/** Takes back that something was counted. If this fails, it stays counted. */
	public Mono<Void> giveBack(RateLimit limit, String subject) {
		return this.properties.enabled() ? CommandRecording.fromFuture(() -> bucket(limit, subject).addTokens(1))
			.timeout(this.properties.timeout())
			.onErrorComplete() : Mono.empty();
	}

	private AsyncBucketProxy bucket(RateLimit limit, String subject) {
		return this.buckets.get(limit.toString(), subject, limit.rates(this.properties));
	}

	private static Duration wait(ConsumptionProbe probe) {
		return probe.isConsumed() ? Duration.ZERO : Duration.ofNanos(Math.max(1, probe.getNanosToWaitForRefill()));
	}

	private void count(RateLimit limit, Duration wait) {
		if (!wait.isZero()) {
			Objects.requireNonNull(this.refused.get(limit)).increment();
		}
	}

	private void answered(@Nullable Throwable error) {
		if (error == null) {
			this.away.set(false);
		}
		else {
			lost(error);
		}
		this.asking.set(false);
	}

	private void lost(Throwable error) {
		boolean news = !this.away.getAndSet(true);
		if (news && !(error instanceof TimeoutException) && !Availability.isAway(error)) {
			log.error("Nothing is limited, because counting fails", error);
		}
	}

	private Mono<Duration> letThrough() {
		this.uncounted.increment();
		return Mono.just(Duration.ZERO);
	}

}
