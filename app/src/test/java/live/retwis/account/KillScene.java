package live.retwis.account;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.RedisOptions;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.testing.LockServers;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An instance that is killed, and one that lives on, over the same data node and the same
 * five lock nodes. The victim reaches the data node through a proxy of its own; the way
 * to the lock nodes is shared, for all instances have the same.
 */
final class KillScene implements AutoCloseable {

	static final Duration LEASE = Duration.ofSeconds(2);

	/**
	 * How soon after a death everything goes on: a lease, and what it takes to notice.
	 */
	static final Duration WITHIN = LEASE.plusSeconds(3);

	private static final int LOCK_NODES = 5;

	private final RedisProcess redis = RedisProcess.start(RedisOptions.DEFAULT.withPort(TestPorts.next()));

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
		// From here on Redis knows the scripts, so that they are sent by their names.
		Visitor first = Visitor.registered(this.survivor);
		first.get("/home");
		first.submit("/logout");
	}

	Site survivor() {
		return this.survivor;
	}

	/** The instance that is to die; another one after each death. */
	DoomedInstance victim() {
		this.next.process().ready();
		assertThat(this.next.isHeard(this.survivor)).isTrue();
		return this.next;
	}

	/** Kills it; the next one starts meanwhile. */
	DoomedInstance kill() {
		DoomedInstance dead = this.next;
		dead.process().kill();
		this.next = DoomedInstance.launch(this.redis.port(), this.settings);
		return dead;
	}

	/** Kills it in the middle of a request, when it has come to that command. */
	Death killAt(HeldCommand moment, Supplier<Integer> request) {
		List<Interception> held = moment.at(switch (moment.server()) {
			case DATA -> List.of(this.next.data());
			case LOCKS -> this.lockProxies.subList(LOCK_NODES / 2, LOCK_NODES);
		});
		CompletableFuture<Integer> answer = CompletableFuture.supplyAsync(request).exceptionally((broken) -> 0);
		held.forEach(Interception::awaitMet);
		DoomedInstance dead = kill();
		return new Death(dead, held, answer.orTimeout(20, TimeUnit.SECONDS).join(), System.nanoTime());
	}

	/** Lets what was held arrive, after its sender's death; on return it has. */
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
	 * The end of a process in the middle of something.
	 *
	 * @param victim which
	 * @param held what it had sent or was about to hear
	 * @param status of the answer that its client got; 0 for none
	 * @param at when, by {@link System#nanoTime()}
	 */
	record Death(DoomedInstance victim, List<Interception> held, int status, long at) {

		Duration ago() {
			return Duration.ofNanos(System.nanoTime() - this.at);
		}

	}

}
