package live.retwis.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.bucket4j.TimeMeter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import live.retwis.redis.DataClock;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.Keys;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Limits that several instances share, with a real Redis. */
class RateLimiterTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private final Site site = Site.shared();

	private final MeterRegistry meters = new SimpleMeterRegistry();

	/** Of two instances. They wait for Redis although the machine is busy. */
	private final List<RateLimiter> limiters = List.of(limiter("5s"), limiter("5s"));

	private final String somebody = Visitor.freshName();

	private RateLimiter limiter(String timeout) {
		return limiter(this.site.bean(DataClock.class), timeout);
	}

	private RateLimiter limiter(DataClock clock, String timeout) {
		return limiter(new SharedBuckets(this.site.bean(DataNodeCommands.class), clock),
				Map.of("retwis.limits.timeout", timeout));
	}

	private RateLimiter limiter(SharedBuckets buckets, Map<String, String> settings) {
		RateLimitProperties properties = new Binder(new MapConfigurationPropertySource(settings))
			.bindOrCreate("retwis.limits", RateLimitProperties.class);
		return new RateLimiter(properties, buckets, this.meters);
	}

	/** A limiter whose time passes only when the test says so. */
	private RateLimiter limiter(SetClock clock, String posts) {
		return limiter(new SharedBuckets(this.site.bean(DataNodeCommands.class), clock, Mono.empty()),
				Map.of("retwis.limits.timeout", "5s", "retwis.limits.posts", posts));
	}

	private Duration take(RateLimit limit) {
		return take(this.limiters.get(0), limit);
	}

	private Duration take(RateLimiter limiter, RateLimit limit) {
		return limiter.take(limit, this.somebody).blockOptional(SOON).orElseThrow();
	}

	/** How many posts are allowed until one is refused. */
	private int allowedPosts(RateLimiter limiter) {
		int allowed = 0;
		while (take(limiter, RateLimit.POSTS).isZero()) {
			allowed++;
		}
		return allowed;
	}

	private double count(String meter) {
		return this.meters.get(meter).counters().stream().mapToDouble((counter) -> counter.count()).sum();
	}

	@Test
	void ofManyAttemptsAtTheSameMomentOnTwoInstancesOnlySoManyAreAllowed() {
		long allowed = Flux.range(0, 200)
			.flatMap((i) -> this.limiters.get(i % 2).take(RateLimit.POSTS, this.somebody), 200)
			.filter(Duration::isZero)
			.count()
			.blockOptional(SOON)
			.orElseThrow();
		assertThat(allowed).isEqualTo(10);
		assertThat(count("retwis.limits.refused")).isEqualTo(190);
		assertThat(count("retwis.limits.uncounted")).isZero();
	}

	@Test
	void anInstanceThatDoesNotKnowTheTimeYetCountsInRedisToo() {
		DataClock neverMeasured = new DataClock(this.site.bean(ReactiveStringRedisTemplate.class));
		assertThat(take(limiter(neverMeasured, "5s"), RateLimit.POSTS)).isZero();
		assertThat(count("retwis.limits.uncounted")).isZero();
	}

	@Test
	void aRefusalSaysHowLongToWaitAndTheKeyExpires() {
		for (int i = 0; i < 5; i++) {
			assertThat(take(RateLimit.WRONG_PASSWORDS)).isZero();
		}
		assertThat(take(RateLimit.WRONG_PASSWORDS)).isBetween(Duration.ofMillis(1), Duration.ofSeconds(12));
		String key = Keys.limit("wrong-passwords", this.somebody);
		assertThat(this.site.redis().pttl(key)).as("five of 60 a day, in ms")
			.isBetween(1L, Duration.ofHours(2).plusSeconds(1).toMillis());
	}

	@Test
	void ofTwoRatesTheSecondOneLimitsWhenTheFirstOneAllowsItAgain() {
		SetClock clock = new SetClock();
		RateLimiter limiter = limiter(clock, "5/1s,8/1h");
		assertThat(allowedPosts(limiter)).isEqualTo(5);
		assertThat(take(limiter, RateLimit.POSTS)).as("a fifth of a second").isEqualTo(Duration.ofMillis(200));
		clock.advance(Duration.ofSeconds(1));
		assertThat(allowedPosts(limiter)).isEqualTo(3);
		clock.advance(Duration.ofSeconds(1));
		assertThat(allowedPosts(limiter)).isZero();
		assertThat(take(limiter, RateLimit.POSTS)).as("an eighth of an hour since the first one")
			.isEqualTo(Duration.ofSeconds(450 - 2));
		clock.advance(Duration.ofHours(1));
		assertThat(allowedPosts(limiter)).isEqualTo(5);
		assertThat(count("retwis.limits.uncounted")).isZero();
	}

	/** With the rates that a username has by default. */
	@Test
	void whoGuessesAgainAsSoonAsItIsAllowedWaitsLongerAndLonger() {
		SetClock clock = new SetClock();
		RateLimiter limiter = limiter(clock, "1/1s");
		List<Long> seconds = new ArrayList<>();
		for (int i = 0; i < 200; i++) {
			Duration wait = take(limiter, RateLimit.WRONG_PASSWORDS);
			clock.advance(wait);
			if (!wait.isZero()) {
				seconds.add(wait.plusMillis(500).toSeconds());
			}
		}
		assertThat(seconds).isSorted()
			.startsWith(60L / 5, 60L / 5)
			.containsSequence(3_600L / 20, 3_600L / 20)
			.endsWith(86_400L / 60, 86_400L / 60);
		assertThat(count("retwis.limits.uncounted")).isZero();
	}

	@Test
	void whatIsGivenBackIsAllowedAgain() {
		RateLimiter limiter = this.limiters.get(0);
		for (int i = 0; i < 20; i++) {
			RateLimiter.Attempt attempt = limiter.attempt(RateLimit.WRONG_PASSWORDS, this.somebody)
				.blockOptional(SOON)
				.orElseThrow();
			assertThat(attempt.waitTime()).isZero();
			attempt.giveBack().block(SOON);
		}
	}

	@Test
	void aRefusalIsDecidedWithoutRedis() {
		while (take(RateLimit.POSTS).isZero()) {
			assertThat(count("retwis.limits.uncounted")).isZero();
		}
		this.site.redis().del(Keys.limit("posts", this.somebody));
		assertThat(take(RateLimit.POSTS)).isPositive();
	}

	@Test
	void whoCannotBeNamedInTimeIsCountedByWhatTheRequestTells() {
		RateLimiter limiter = limiter("100ms");
		long began = System.nanoTime();
		assertThat(attempt(limiter, this.somebody).block(SOON)).isZero();
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isBetween(Duration.ofMillis(100),
				Duration.ofSeconds(2));
		assertThat(count("retwis.limits.uncounted")).isEqualTo(1);
		assertThat(Flux.range(0, 100)
			.flatMap((i) -> attempt(limiter, this.somebody), 100)
			.filter(Duration::isZero)
			.count()
			.block(SOON)).isEqualTo(9);
		assertThat(attempt(limiter, Visitor.freshName()).block(SOON)).isZero();
	}

	private static Mono<Duration> attempt(RateLimiter limiter, String otherwise) {
		return limiter.attempt(RateLimit.POSTS, Mono.never(), otherwise).map(RateLimiter.Attempt::waitTime);
	}

	@Test
	void whenCountingFailsTheInstanceCountsForItselfUntilItWorksAgain() {
		String key = Keys.limit("posts", this.somebody);
		this.site.redis().hset(key, "not", "a bucket");
		assertThat(Flux.range(0, 30).map((i) -> take(RateLimit.POSTS)).filter(Duration::isZero).count().block(SOON))
			.isEqualTo(10);
		assertThat(count("retwis.limits.uncounted")).isEqualTo(30);
		this.site.redis().del(key);
		Awaitility.await().until(() -> take(RateLimit.POSTS).isZero());
	}

	/**
	 * Otherwise somebody who keeps an instance busy could fill a bucket again that others
	 * share.
	 */
	@Test
	void whatAnInstanceCountedForItselfIsNotGivenBackToTheOthers() {
		while (take(RateLimit.WRONG_PASSWORDS).isZero()) {
			assertThat(count("retwis.limits.uncounted")).isZero();
		}
		RateLimiter failing = this.limiters.get(1);
		String broken = Visitor.freshName();
		this.site.redis().hset(Keys.limit("posts", broken), "not", "a bucket");
		assertThat(failing.take(RateLimit.POSTS, broken).block(SOON)).isZero();
		RateLimiter.Attempt attempt = failing.attempt(RateLimit.WRONG_PASSWORDS, this.somebody)
			.blockOptional(SOON)
			.orElseThrow();
		assertThat(attempt.waitTime()).as("counted by the instance that failed just now").isZero();
		attempt.giveBack().block(SOON);
		assertThat(limiter("5s").take(RateLimit.WRONG_PASSWORDS, this.somebody).block(SOON)).isPositive();
	}

	@Test
	void whatRedisCountedTooLateIsGivenBackToo() {
		RateLimiter hasty = limiter("1ns");
		// On a busy machine Redis may be faster than the shortest time-out.
		for (int i = 0; i < 20 || (i < 1_000 && count("retwis.limits.uncounted") == 0); i++) {
			RateLimiter.Attempt attempt = hasty.attempt(RateLimit.WRONG_PASSWORDS, this.somebody)
				.blockOptional(SOON)
				.orElseThrow();
			assertThat(attempt.waitTime()).isZero();
			attempt.giveBack().block(SOON);
		}
		assertThat(count("retwis.limits.uncounted")).isPositive();
		Awaitility.await().atMost(Duration.ofSeconds(5)).until(this::areAllFiveLeft);
	}

	private boolean areAllFiveLeft() {
		List<RateLimiter.Attempt> attempts = Flux.range(0, 5)
			.concatMap((i) -> this.limiters.get(0).attempt(RateLimit.WRONG_PASSWORDS, this.somebody))
			.collectList()
			.blockOptional(SOON)
			.orElseThrow();
		List<RateLimiter.Attempt> allowed = attempts.stream().filter((attempt) -> attempt.waitTime().isZero()).toList();
		allowed.forEach((attempt) -> attempt.giveBack().block(SOON));
		return allowed.size() == 5;
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "10", "10/", "/1m", "0/1m", "10/0s", "ten/1m", "10/1m/1h" })
	void aRateThatMakesNoSenseIsRefused(String text) {
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> RateLimitSpec.valueOf(text));
	}

	/** A clock that stands still until it is advanced. */
	private static final class SetClock implements TimeMeter {

		private final AtomicLong nanos = new AtomicLong(TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()));

		void advance(Duration time) {
			this.nanos.addAndGet(time.toNanos());
		}

		@Override
		public long currentTimeNanos() {
			return this.nanos.get();
		}

		@Override
		public boolean isWallClockBased() {
			return true;
		}

	}

}
