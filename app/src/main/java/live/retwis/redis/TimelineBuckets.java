package live.retwis.redis;

import java.util.stream.IntStream;

import io.lettuce.core.cluster.SlotHash;

/**
 * Home timelines lie in 64 slots of a Redis Cluster: a post to 1,000 followers is 64
 * scripts then and not one for each of them. The slots are spread evenly over all there
 * are, so that masters with as many slots have as many timelines, up to 64 masters.
 */
final class TimelineBuckets {

	private static final int COUNT = 64;

	private static final int SLOTS = SlotHash.SLOT_COUNT / COUNT;

	/** One for each row of slots, such as <code>{t0417}</code>. */
	private static final String[] TAGS = IntStream.range(0, COUNT)
		.mapToObj((bucket) -> IntStream.iterate(0, (number) -> number + 1)
			.mapToObj("{t%04d}"::formatted)
			.filter((tag) -> SlotHash.getSlot(tag) / SLOTS == bucket)
			.findFirst()
			.orElseThrow())
		.toArray(String[]::new);

	private TimelineBuckets() {
	}

	/** The hash tag of a user's bucket, in braces. */
	static String tagOf(String userId) {
		return TAGS[SlotHash.getSlot(userId) / SLOTS];
	}

}
