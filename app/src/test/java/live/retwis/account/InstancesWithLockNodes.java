package live.retwis.account;

import java.util.List;
import java.util.stream.Stream;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.testing.LockServers;
import live.retwis.testing.Site;

/**
 * Two instances with one data node and five lock nodes. The test may stop two of the lock
 * nodes.
 */
final class InstancesWithLockNodes implements AutoCloseable {

	private static final int LOCK_NODES = 5;

	private final RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT);

	private final LockServers locks = new LockServers(LOCK_NODES);

	private final List<Site> sites;

	InstancesWithLockNodes(String engine) {
		this.sites = Stream.generate(() -> start(engine)).limit(2).toList();
	}

	private Site start(String engine) {
		return Site.startAt("127.0.0.1", this.redis.port(), this.locks.setting(), "--retwis.locks.engine=" + engine,
				"--retwis.locks.lease=2s");
	}

	/** The two instances in turn. */
	Site site(int number) {
		return this.sites.get(number % 2);
	}

	/** Kills one lock node and pauses another. */
	void strike() {
		this.locks.node(0).kill();
		this.locks.node(1).pause();
	}

	/** Lets all lock nodes run again. */
	void heal() {
		this.locks.node(1).resume();
		this.locks.node(0).restart();
	}

	@Override
	public void close() {
		this.sites.forEach(Site::close);
		this.locks.close();
		this.redis.close();
	}

}
