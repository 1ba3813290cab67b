package live.retwis.redis;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Reports keys that hold a value of another type than they should, because another
 * program has written there. Such a key costs what it belongs to, and nothing else. Each
 * one counts in the metric {@code retwis.keys.damaged}, and the application's log tells
 * of it once an hour.
 */
@Component
public class DamagedKeyReporter {

	private static final Logger logger = LoggerFactory.getLogger(DamagedKeyReporter.class);

	private static final Duration TOLD_FOR = Duration.ofHours(1);

	/** Most steps that are remembered. */
	private static final int MOST = 1000;

	private final Cache<String, Boolean> told = Caffeine.newBuilder()
		.maximumSize(MOST)
		.expireAfterWrite(TOLD_FOR)
		.build();

	private final Counter counter;

	DamagedKeyReporter(MeterRegistry meters) {
		this.counter = meters.counter("retwis.keys.damaged");
	}

	/**
	 * Runs a step beside others that must not stop with it.
	 * @param name what the log calls the step
	 * @return what the step returns; empty when it came upon such a key
	 */
	public <T> Mono<T> passOver(String name, Mono<T> step) {
		return step.onErrorResume(RedisErrorClassifier::isWrongType, (wrong) -> Mono.fromRunnable(() -> {
			this.counter.increment();
			if (this.told.asMap().putIfAbsent(name, true) == null) {
				logger.error("{} came upon a key of a wrong type, and is passed over. The doctor names such keys", name,
						wrong);
			}
		}));
	}

	/**
	 * Does the second thing after the first, also when the first meets a damaged key.
	 * Then it fails as the first one did.
	 */
	public static Mono<Void> thenInAnyCase(Mono<Void> first, Mono<Void> second) {
		return first.onErrorResume(RedisErrorClassifier::isWrongType, (damaged) -> second.then(Mono.error(damaged)))
			.then(second);
	}

}
