package live.retwis.account;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.testing.LockServers;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An instance that is killed and one that survives, with the same data node and the same
 * five lock nodes. The victim has its own proxy to the data node. All instances reach the
 * lock nodes through the same proxies, because they must have the same settings.
 */
final class KillScene implements AutoCloseable {

	static final Duration LEASE = Duration.ofSeconds(2);

	/**
	 * Time after a kill until everything works again: a lease, and the time to notice.
	 */
	static final Duration WITHIN = LEASE.plusSeconds(3);

	private static final int LOCK_NODES = 5;

	private final RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT.withPort(TestPorts.next()));

	private final LockServers locks = new LockServers(LOCK_NODES);

	private final List<FaultProxy> lockProxies = IntStream.range(0, LOCK_NODES)
		.mapToObj((number) -> FaultProxy.to("127.0.0.1", this.locks.node(number).port()))
		.toList();

	private final String[] settings;

	private final Site survivor;

	private DoomedInstance next;

	KillScene(String engine) {
		this.settings = new String[] { LockServers.setting(this.lockProxies.stream().map(FaultProxy::port).toList()),
				"--retwis.locks.lease=" + LEASE.toMillis() + "ms", "--retwis.locks.engine=" + engine };
		this.next = DoomedInstance.launch(this.redis.port(), this.settings);
		this.survivor = Site.startAt("127.0.0.1", this.redis.port(), this.settings);
		// After this Redis knows the scripts, so they are sent by their hashes.
		Visitor first = Visitor.registered(this.survivor);
		first.get("/home");
		first.submit("/logout");
	}

	Site survivor() {
		return this.survivor;
	}

	/** The instance that will be killed. After each kill it is a new one. */
	DoomedInstance victim() {
		this.next.process().ready();
		assertThat(this.next.isHeard(this.survivor)).isTrue();
		return this.next;
	}

	/** Kills the victim, while the next one starts. */
	DoomedInstance kill() {
		DoomedInstance dead = this.next;
		dead.process().kill();
		this.next = DoomedInstance.launch(this.redis.port(), this.settings);
		return dead;
	}

	/** Proxies to so many lock nodes that no majority is left. */
	List<FaultProxy> majority() {
		return this.lockProxies.subList(LOCK_NODES / 2, LOCK_NODES);
	}

	/** Kills the victim in the middle of a request, when it sends the command. */
	Death killAt(HeldCommand moment, Supplier<Integer> request) {
		List<Interception> held = moment.at(switch (moment.server()) {
			case DATA -> List.of(this.next.data());
			case LOCKS -> majority();
		});
		CompletableFuture<Integer> answer = CompletableFuture.supplyAsync(request).exceptionally((broken) -> 0);
		held.forEach(Interception::awaitMet);
		DoomedInstance dead = kill();
		return new Death(dead, held, answer.orTimeout(20, TimeUnit.SECONDS).join(), System.nanoTime());
	}

	/**
	 * Lets the held command arrive after the death of its sender. It has arrived on
	 * return.
	 */
	void letArrive(Death death) {
		death.held().forEach(Interception::close);
		death.victim().awaitSilence(this.survivor);
		death.victim().close();
	}

	@Override
	public void close() {
		this.next.close();
		this.survivor.close();
		this.lockProxies.forEach(FaultProxy::close);
		this.locks.close();
		this.redis.close();
	}

	/**
	 * The death of an instance during a request.
	 *
	 * @param victim the killed instance
	 * @param held the commands or replies that were held
	 * @param status status of the answer that the client got; 0 for none
	 * @param at time of the death, by {@link System#nanoTime()}
	 */
	record Death(DoomedInstance victim, List<Interception> held, int status, long at) {

		Duration ago() {
			return Duration.ofNanos(System.nanoTime() - this.at);
		}

	}

}
