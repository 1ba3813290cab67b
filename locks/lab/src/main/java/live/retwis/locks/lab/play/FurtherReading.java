package live.retwis.locks.lab.play;

import java.util.Locale;

import live.retwis.locks.lab.words.LabWords;

/**
 * What to read about locks on Redis.
 */
public enum FurtherReading {

	/** The description of Redlock. */
	REDIS("Redis", "Distributed Locks with Redis",
			"https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/"),

	/** The objections. */
	KLEPPMANN("Martin Kleppmann", "How to do distributed locking (2016)",
			"https://martin.kleppmann.com/2016/02/08/how-to-do-distributed-locking.html"),

	/** The answer to them, by the author of Redis and Redlock. */
	SANFILIPPO("Salvatore Sanfilippo (antirez)", "Is Redlock safe? (2016)", "http://antirez.com/news/101"),

	/** What RedissonRedLock is, and why it is deprecated. */
	REDISSON("Redisson", "Locks and synchronizers",
			"https://redisson.pro/docs/data-and-services/locks-and-synchronizers/"),

	/** What a cancelled lock over several nodes leaves behind. */
	REDISSON_4456("Redisson", "Issue 4456: MultiLock doesn't lock atomically/leaves locks in inconsistent state (2022)",
			"https://github.com/redisson/redisson/issues/4456"),

	/** Writes that were acknowledged and are gone after a fail-over. */
	JEPSEN_REDIS("Kyle Kingsbury", "Jepsen: Redis (2013)", "https://aphyr.com/posts/283-jepsen-redis"),

	/** Locks with leases, on a store that forgets nothing. */
	JEPSEN_ETCD("Kyle Kingsbury", "Jepsen: etcd 3.4.3 (2020)", "https://jepsen.io/analyses/etcd-3.4.3");

	private final String who;

	private final String title;

	private final String url;

	FurtherReading(String who, String title, String url) {
		this.who = who;
		this.title = title;
		this.url = url;
	}

	public String who() {
		return this.who;
	}

	public String title() {
		return this.title;
	}

	public String url() {
		return this.url;
	}

	/** What it is about, in a language. */
	public String note(LabWords words) {
		return words.text("reading." + name().toLowerCase(Locale.ROOT).replace('_', '-'));
	}

	@Override
	public String toString() {
		return this.who + ": " + this.title + ", " + this.url;
	}

}
