package live.retwis.limit;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.redis.CommandRecorderContext;
import live.retwis.redis.RedisErrorClassifier;
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
 * answer, this instance counts in its own memory. Then only one request at a time asks
 * whether Redis is back, and no request waits for that.
 */
@Component
public class RateLimiter {

	private static final Logger log = LoggerFactory.getLogger(RateLimiter.class);

	private final RateLimitProperties properties;

	private final SharedBuckets buckets;

	private final OwnBuckets ownBuckets = new OwnBuckets();

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
	 * @param subject who is counted
	 * @return zero when it is allowed; else the time until it is allowed again
	 */
	public Mono<Duration> take(RateLimit limit, String subject) {
		return attempt(limit, subject).map(Attempt::waitTime);
	}

	/** The same, with a way to take it back. */
	public Mono<Attempt> attempt(RateLimit limit, String subject) {
		return !this.properties.enabled() ? Mono.just(Attempt.UNCOUNTED) : count(limit, subject);
	}

	/**
	 * Counts a user, and the user's address for what is counted beside.
	 * @return zero when both allow it; else the time until it is allowed again
	 */
	public Mono<Duration> takeBoth(RateLimit limit, String userId, Optional<String> address) {
		return attempt(limit, userId).flatMap(
				(own) -> both(own, address.flatMap((known) -> limit.beside().map((other) -> attempt(other, known)))));
	}

	/** What the second limit refuses does not count for the first one. */
	public static Mono<Duration> both(Attempt own, Optional<Mono<Attempt>> other) {
		return (!own.waitTime().isZero() || other.isEmpty()) ? Mono.just(own.waitTime())
				: other.get()
					.flatMap((second) -> second.waitTime().isZero() ? Mono.just(Duration.ZERO)
							: own.giveBack().thenReturn(second.waitTime()));
	}

	/**
	 * Counts once, unless the limit is reached.
	 * @param subject tells who is counted
	 * @param otherwise who is counted, by this instance alone, when that cannot be told
	 * in time; nothing that the client can choose freely, such as a cookie
	 * @return zero to wait when it is allowed, and a way to take it back
	 */
	public Mono<Attempt> attempt(RateLimit limit, Mono<String> subject, String otherwise) {
		return !this.properties.enabled() ? Mono.just(Attempt.UNCOUNTED)
				: subject.timeout(this.properties.timeout())
					.map(Optional::of)
					.onErrorReturn(Optional.empty())
					.flatMap((known) -> known.map((who) -> count(limit, who))
						.orElseGet(() -> Mono.fromSupplier(() -> countAlone(limit, otherwise))));
	}

	private Mono<Attempt> count(RateLimit limit, String subject) {
		return Mono.deferContextual((context) -> {
			boolean knownAway = this.away.get();
			if (knownAway && !this.asking.compareAndSet(false, true)) {
				return Mono.just(countAlone(limit, subject));
			}
			CompletableFuture<Attempt> asked = countTogether(limit, subject).contextWrite(context).toFuture();
			asked.whenComplete((attempt, error) -> answered(error));
			return knownAway ? Mono.just(countTwice(limit, subject, asked))
					: Mono.fromFuture(asked, true).timeout(this.properties.timeout()).onErrorResume((error) -> {
						lost(error);
						return Mono.just(countTwice(limit, subject, asked));
					});
		});
	}

	/**
	 * Counts alone what Redis may still count. Who gives it back gives back both, and
	 * does not wait for Redis.
	 */
	private Attempt countTwice(RateLimit limit, String subject, CompletableFuture<Attempt> asked) {
		Attempt alone = countAlone(limit, subject);
		Mono<Void> late = Mono.fromFuture(asked, true)
			.filter((attempt) -> attempt.waitTime().isZero())
			.flatMap(Attempt::giveBack)
			.onErrorComplete();
		return new Attempt(alone.waitTime(), alone.giveBack().doOnTerminate(late::subscribe));
	}

	private Mono<Attempt> countTogether(RateLimit limit, String subject) {
		AsyncBucketProxy bucket = this.buckets.get(limit.toString(), subject, limit.rates(this.properties));
		Mono<Void> giveBack = CommandRecorderContext.fromFuture(() -> bucket.addTokens(1))
			.timeout(this.properties.timeout())
			.onErrorComplete();
		return this.buckets.take(bucket).map((probe) -> answered(limit, probe, giveBack));
	}

	private Attempt countAlone(RateLimit limit, String subject) {
		this.uncounted.increment();
		Bucket bucket = this.ownBuckets.get(limit.toString(), subject, limit.rates(this.properties));
		return answered(limit, bucket.tryConsumeAndReturnRemaining(1), Mono.fromRunnable(() -> bucket.addTokens(1)));
	}

	private Attempt answered(RateLimit limit, ConsumptionProbe probe, Mono<Void> giveBack) {
		Duration wait = wait(probe);
		if (!wait.isZero()) {
			Objects.requireNonNull(this.refused.get(limit)).increment();
		}
		return new Attempt(wait, giveBack);
	}

	private static Duration wait(ConsumptionProbe probe) {
		return probe.isConsumed() ? Duration.ZERO : Duration.ofNanos(Math.max(1, probe.getNanosToWaitForRefill()));
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
		if (news && !(error instanceof TimeoutException) && !RedisErrorClassifier.isAway(error)) {
			log.error("Each instance counts for itself, because counting in Redis fails", error);
		}
	}

	/**
	 * What became of an attempt.
	 *
	 * @param waitTime zero when it is allowed; else the time until it is allowed again
	 * @param giveBack takes back that it was counted; if this fails, it stays counted
	 */
	public record Attempt(Duration waitTime, Mono<Void> giveBack) {

		private static final Attempt UNCOUNTED = new Attempt(Duration.ZERO, Mono.empty());

	}

}
