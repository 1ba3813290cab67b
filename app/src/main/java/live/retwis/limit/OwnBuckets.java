package live.retwis.limit;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.LocalBucketBuilder;

/**
 * Token buckets in the memory of this instance. They count while Redis does not, so that
 * nobody can switch the limits off by keeping an instance or Redis busy.
 */
final class OwnBuckets {

	/** Buckets that an instance remembers, about 1 kB each. */
	private static final int REMEMBERED = 10_000;

	/** A bucket that is not used for so long is forgotten, and full afterwards. */
	private static final Duration KEPT = Duration.ofHours(1);

	private final Cache<String, Bucket> buckets = Caffeine.newBuilder()
		.maximumSize(REMEMBERED)
		.expireAfterAccess(KEPT)
		.build();

	/**
	 * A bucket.
	 * @param rates apply when the bucket is filled for the first time
	 */
	Bucket get(String rule, String subject, RateLimitSpec rates) {
		return this.buckets.get(rule + ":" + subject, (key) -> bucket(rates));
	}

	private static Bucket bucket(RateLimitSpec rates) {
		LocalBucketBuilder bucket = Bucket.builder();
		for (var limit : rates.buckets().getBandwidths()) {
			bucket.addLimit(limit);
		}
		return bucket.build();
	}

}
