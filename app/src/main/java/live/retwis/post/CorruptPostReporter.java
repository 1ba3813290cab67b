package live.retwis.post;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Posts whose hash is damaged, for example by another program. Pages and streams leave
 * them out. Each one is reported once an hour: in the application's log, in the metric
 * {@code retwis.posts.unreadable}, and in the health of this instance.
 */
@Component
class CorruptPostReporter {

	private static final Logger logger = LoggerFactory.getLogger(CorruptPostReporter.class);

	private static final Duration TOLD_FOR = Duration.ofHours(1);

	/** Most ids that are remembered. */
	private static final int MOST = 1000;

	private final Cache<String, String> reasons = Caffeine.newBuilder()
		.maximumSize(MOST)
		.expireAfterWrite(TOLD_FOR)
		.build();

	private final Counter counter;

	CorruptPostReporter(MeterRegistry meters) {
		this.counter = meters.counter("retwis.posts.unreadable");
	}

	/** Reports a post that was left out. */
	void leftOut(String postId, Throwable error) {
		if (this.reasons.asMap().putIfAbsent(postId, error.toString()) == null) {
			this.counter.increment();
			logger.error("Post {} cannot be read and is left out", postId, error);
		}
	}

	/** Fails with the reason if the post was left out; otherwise empty. */
	<T> Mono<T> failure(String postId) {
		return Mono.justOrEmpty(this.reasons.getIfPresent(postId))
			.flatMap(
					(reason) -> Mono.error(new IllegalStateException("Post " + postId + " cannot be read: " + reason)));
	}

	/**
	 * How many posts were left out within the last hour, as far as they are remembered.
	 */
	int count() {
		return this.reasons.asMap().size();
	}

	/** Some of these posts: their ids, each with the reason. */
	Map<String, String> some(int most) {
		return this.reasons.asMap()
			.entrySet()
			.stream()
			.limit(most)
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
	}

}
