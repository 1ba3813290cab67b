package live.retwis.account;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.RedisOptions;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.testing.FaultProxy;
import live.retwis.locks.testing.Interception;
import live.retwis.testing.LockServers;
import live.retwis.testing.Site;
import live.retwis.testing.SiteProcess;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

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

	private final RedisProcess redis = RedisProcess.start(RedisOptions.DEFAULT);

	private final LockServers locks = new LockServers(LOCK_NODES);

	private final List<FaultProxy> lockProxies = IntStream.range(0, LOCK_NODES)
		.mapToObj((number) -> FaultProxy.to("127.0.0.1", this.locks.node(number).port()))
		.toList();

	private final FaultProxy dataProxy = FaultProxy.to("127.0.0.1", this.redis.port());

	private final String[] settings;

	private final Site survivor;

	private @Nullable SiteProcess victim;

	KillScene(String engine) {
		this.settings = new String[] { LockServers.setting(this.lockProxies.stream().map(FaultProxy::port).toList()),
				"--retwis.locks.lease=" + LEASE.toMillis() + "ms", "--retwis.locks.engine=" + engine };
		launch();
		this.survivor = Site.startAt("127.0.0.1", this.redis.port(), this.settings);
		// From here on Redis knows the scripts, so that they are sent by their names.
		Visitor first = Visitor.registered(this.survivor);
		first.get("/home");
		first.submit("/logout");
	}

	private SiteProcess launch() {
		SiteProcess launched = SiteProcess.launch(this.dataProxy.port(), this.settings);
		this.victim = launched;
		return launched;
	}

	Site survivor() {
		return this.survivor;
	}

	/** The instance that is to die; another one after each death. */
	SiteProcess victim() {
		SiteProcess current = this.victim;
		return ((current != null) ? current : launch()).ready();
	}

	FaultProxy dataProxy() {
		return this.dataProxy;
	}

	/** Kills the victim. */
	void kill() {
		victim().kill();
		this.victim = null;
	}

	/**
	 * Kills the victim in the middle of a request, when it has come to that command.
	 * @return what is held then, and the answer if there was one before
	 */
	Death killAt(HeldAt moment, Supplier<Integer> request) {
		SiteProcess dying = victim();
		List<Interception> held = moment.at(switch (moment.server()) {
			case DATA -> List.of(this.dataProxy);
			case LOCKS -> this.lockProxies.subList(LOCK_NODES / 2, LOCK_NODES);
		});
		CompletableFuture<Integer> answer = CompletableFuture.supplyAsync(request)
			.completeOnTimeout(0, 20, TimeUnit.SECONDS)
			.exceptionally((broken) -> 0);
		held.forEach(Interception::awaitMet);
		dying.kill();
		this.victim = null;
		return new Death(held, answer.join(), System.nanoTime());
	}

	/** Lets what was held arrive, after its sender's death; on return it has. */
	void letArrive(Death death) {
		death.held().forEach(Interception::close);
		Awaitility.await("the end of the dead one's connections")
			.atMost(Duration.ofSeconds(10))
			.until(() -> this.dataProxy.connections() == 0);
	}

	@Override
	public void close() {
		if (this.victim != null) {
			this.victim.close();
		}
		this.survivor.close();
		this.dataProxy.close();
		this.lockProxies.forEach(FaultProxy::close);
		this.locks.close();
		this.redis.close();
	}

	/**
	 * The end of a process in the middle of something.
	 *
	 * @param held what it had sent or was about to hear
	 * @param status of the answer that its client got; 0 for none
	 * @param at when, by {@link System#nanoTime()}
	 */
	record Death(List<Interception> held, int status, long at) {

		Duration ago() {
			return Duration.ofNanos(System.nanoTime() - this.at);
		}

	}

}
