package live.retwis.follow;

import java.util.Map;

import live.retwis.redis.Keys;

/**
 * The shards that hold the followers of one user. Each shard holds a range of follow
 * times, and begins when the one before it was full.
 *
 * @param userId id of the user who is followed
 * @param begins when each shard begins, in ms; the first one begins at 0
 * @param removed how many followers were ever removed; if it is the same twice, none was
 * removed in between
 */
public record FollowerShards(String userId, long[] begins, long removed) {

	/**
	 * Reads a directory. A directory without fields means that there is only the first
	 * shard.
	 */
	static FollowerShards of(String userId, Map<String, String> directory) {
		int last = Integer.parseInt(directory.getOrDefault("last", "0"));
		long[] begins = new long[last + 1];
		for (int i = 1; i <= last; i++) {
			begins[i] = Long.parseLong(directory.getOrDefault(Integer.toString(i), "0"));
		}
		return new FollowerShards(userId, begins, Long.parseLong(directory.getOrDefault("removed", "0")));
	}

	/** Number of the last shard. The first one has number 0. */
	public int last() {
		return this.begins.length - 1;
	}

	/** The number of the shard for a follow at this time. */
	public int numberAt(long millis) {
		int number = last();
		while (number > 0 && millis < this.begins[number]) {
			number--;
		}
		return number;
	}

	/** The key of the shard for a follow at this time. */
	public String keyAt(long millis) {
		return key(numberAt(millis));
	}

	/** The key of a shard. */
	public String key(int number) {
		return Keys.followers(this.userId, number);
	}

}
