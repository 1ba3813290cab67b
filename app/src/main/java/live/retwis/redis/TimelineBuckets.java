package live.retwis.redis;

import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/**
 * Places the home timelines in 64 slots of a Redis Cluster. So a post to 1,000 followers
 * takes 64 scripts instead of 1,000. The 64 slots are spread evenly over all slots, so
 * that masters with equal shares of the slots hold equal shares of the timelines, up to
 * 64 masters.
 */
final class TimelineBuckets {

	private static final int COUNT = 64;

	private static final int SLOTS = ClusterSlotHashUtil.SLOT_COUNT / COUNT;

	/** One hash tag for each range of slots, such as <code>{t0021}</code>. */
	private static final String[] TAGS = IntStream.range(0, COUNT)
		.mapToObj((bucket) -> IntStream.iterate(0, (number) -> number + 1)
			.mapToObj("{t%04d}"::formatted)
			.filter((tag) -> ClusterSlotHashUtil.calculateSlot(tag) / SLOTS == bucket)
			.findFirst()
			.orElseThrow())
		.toArray(String[]::new);

	private TimelineBuckets() {
	}

	/** The hash tag of a user's bucket, with its braces. */
	static String tagOf(String userId) {
		return TAGS[ClusterSlotHashUtil.calculateSlot(userId.getBytes(StandardCharsets.UTF_8)) / SLOTS];
	}

}
