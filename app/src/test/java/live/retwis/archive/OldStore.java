package live.retwis.archive;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;

/** Posts in Redis that look as if they had been made long ago. */
public final class OldStore {

	/** Begins the ids. */
	static final String PREFIX = "0Z";

	private static final long DAY = Duration.ofDays(1).toMillis();

	/** When posts come of age. */
	private static final long AFTER = 90 * DAY;

	private final RedisClusterCommands<String, String> redis;

	private final long now = System.currentTimeMillis();

	private static int made;

	/** A store in which posts are planted. */
	public OldStore(Site site) {
		this(site.redis());
	}

	/** The same, by commands that find the data also after a fail-over. */
	public OldStore(RedisClusterCommands<String, String> redis) {
		this.redis = redis;
	}

	/**
	 * Posts of an author, the newest first, each a day older than the one before. They
	 * are made in the order of their times: a list must not get posts that are older than
	 * archived ones, and the first may move before the last is made.
	 * @param age age of the newest, in days
	 */
	public List<String> plant(Visitor author, int count, int age) {
		LinkedList<String> ids = new LinkedList<>();
		for (int i = count - 1; i >= 0; i--) {
			ids.addFirst(plant(author, new Cursor(this.now - (age + i) * DAY, id()), Map.of()));
		}
		return ids;
	}

	/**
	 * Posts of an author, the oldest first, which come of age one after the other from
	 * now on.
	 */
	List<String> plantComingOfAge(Visitor author, int count, Duration apart) {
		long first = System.currentTimeMillis() - AFTER;
		return IntStream.range(0, count)
			.mapToObj((i) -> plant(author, new Cursor(first + i * apart.toMillis(), id()), Map.of()))
			.toList();
	}

	/** What a post says. */
	static String textOf(String id) {
		return "text of " + id;
	}

	private static synchronized String id() {
		return PREFIX + "%011d".formatted(System.nanoTime() % 10_000_000_000L + made++).substring(0, 11);
	}

	/** A post at a place. */
	String plant(Visitor author, Cursor place, Map<String, String> more) {
		Map<String, String> fields = new HashMap<>(Map.of("author", author.id(), "username", author.name(), "created",
				Long.toString(place.score()), "body", textOf(place.member())));
		fields.putAll(more);
		this.redis.hset(Keys.post(place.member()), fields);
		this.redis.zadd(Keys.postsOf(author.id()), (double) place.score(), place.member());
		return place.member();
	}

	/** Which of the posts have a hash in Redis. */
	List<String> inRedis(List<String> ids) {
		return ids.stream().filter((id) -> this.redis.exists(Keys.post(id)) == 1).toList();
	}

	/** The members of an author's list that are posts. */
	List<String> listed(Visitor author) {
		return Stream.of(this.redis.zrange(Keys.postsOf(author.id()), 0, -1))
			.flatMap(List::stream)
			.filter((member) -> !ArchiveMarkers.isMarker(member))
			.toList();
	}

}
