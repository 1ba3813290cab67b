package live.retwis.attack;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.redis.Keys;
import live.retwis.testing.LockServers;
import live.retwis.testing.NodeConnections;
import live.retwis.testing.SharedData;
import live.retwis.testing.SiteProcess;

/**
 * An instance with its default settings in a process of its own, with a data node.
 */
record AttackedSite(RedisProcess store, SiteProcess site) implements AutoCloseable {

	/** The kind of a key, without what it is about. */
	private static final String KIND = "^(limit:[^:]*|\\{live}:[^:]*|[^:]*).*$";

	static AttackedSite start() {
		RedisProcess store = RedisProcess.start(
				RedisProcessOptions.DEFAULT.withPort(TestPorts.next()).with("appendonly yes", "appendfsync everysec"));
		return new AttackedSite(store,
				SiteProcess
					.launchWithDefaults(SharedData.settings("127.0.0.1", store.port()), LockServers.shared().setting(),
							"--retwis.proxies=" + Attackers.PROXY)
					.ready());
	}

	Footprint footprint() {
		return Footprint.of(this.site, this.store, clients().size());
	}

	/** Seconds until each count of the rate limits is forgotten; -1 for never. */
	List<Long> lifeOfCounts() {
		return NodeConnections.ask(this.store,
				(node) -> node.keys(Keys.LIMIT + "*").stream().map((key) -> node.ttl(key)).toList());
	}

	/** How many keys there are of each kind, by the beginning of their names. */
	Map<String, Long> keysByKind() {
		return NodeConnections.ask(this.store, (node) -> node.keys("*")
			.stream()
			.collect(
					Collectors.groupingBy((key) -> key.replaceFirst(KIND, "$1"), TreeMap::new, Collectors.counting())));
	}

	/** Addresses of the clients that are connected. */
	List<String> clients() {
		return ClientConnections.of(this.site.pid(), URI.create(this.site.origin()).getPort());
	}

	/** Size of the log, in kB. */
	long logSize() {
		return this.site.logged().stream().mapToLong(String::length).sum() / 1024;
	}

	@Override
	public void close() {
		this.site.close();
		this.store.close();
	}

}
