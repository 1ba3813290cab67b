package live.retwis.xray;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/**
 * What a look at a key tells without its content.
 *
 * @param key name of the key
 * @param type Redis type; empty when there is no such key
 * @param encoding how Redis stores it
 * @param elements number of elements, or of bytes of a string
 * @param bytes bytes in memory
 * @param ttl ms to live; -1 when it does not expire
 */
record KeyMetadata(String key, String type, String encoding, long elements, long bytes, long ttl) {

	static KeyMetadata missing(String key) {
		return new KeyMetadata(key, "", "", 0, 0, -1);
	}

	/** The slot of a Redis Cluster that the key is in. */
	int slot() {
		return ClusterSlotHashUtil.calculateSlot(this.key);
	}

	boolean expires() {
		return this.ttl >= 0;
	}

	boolean exists() {
		return !this.type.isEmpty();
	}

}
