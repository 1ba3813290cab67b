package live.retwis.follow;

import java.util.Map;

import live.retwis.redis.Keys;

/**
 * Where the followers of one user lie: by the time of the follow, in shards that begin
 * where the one before was full.
 *
 * @param userId who is followed
 * @param begins when each shard begins, in ms; the first at 0
 * @param removed how many were ever taken out; the same twice, nobody was between
 */
public record FollowerShards(String userId, long[] begins, long removed) {

	/** Reads a directory; one without fields is that of the first shard alone. */
	static FollowerShards of(String userId, Map<String, String> directory) {
		int last = Integer.parseInt(directory.getOrDefault("last", "0"));
		long[] begins = new long[last + 1];
		for (int i = 1; i <= last; i++) {
			begins[i] = Long.parseLong(directory.getOrDefault(Integer.toString(i), "0"));
		}
		return new FollowerShards(userId, begins, Long.parseLong(directory.getOrDefault("removed", "0")));
	}

	/** Number of the last; that of the first is 0. */
	public int last() {
		return this.begins.length - 1;
	}

	/** The shard of a follow at that millisecond. */
	public int at(long millis) {
		int number = last();
		while (number > 0 && millis < this.begins[number]) {
			number--;
		}
		return number;
	}

	/** The key of the shard of a follow at that millisecond. */
	public String keyAt(long millis) {
		return key(at(millis));
	}

	/** The key of a shard. */
	public String key(int number) {
		return Keys.followers(this.userId, number);
	}

}
