package live.retwis.locks.bench;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

import live.retwis.locks.Engine;
import live.retwis.locks.FenceRegister;
import live.retwis.locks.Lease;
import live.retwis.locks.LockListener;
import live.retwis.locks.LockOptions;
import live.retwis.locks.LockSettings;
import live.retwis.locks.LockTaken;
import live.retwis.locks.NodeState.Health;
import live.retwis.locks.RedLock;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The locks of this library, used as usual: with a body, which ends when it is told to.
 */
final class OurRedLock implements LockContestant {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final Engine engine;

	private final RedLock locks;

	private final int nodes;

	OurRedLock(FiveServers servers, Engine engine, LockListener listener) {
		this.engine = engine;
		this.locks = RedLock.open(new LockSettings(servers.uris(), LockSettings.NODE_TIMEOUT, engine),
				FenceRegister.NONE, listener);
		this.nodes = servers.uris().size();
		awaitUp(this.nodes);
	}

	/** All nodes but one are enough, because one may be dead. */
	@Override
	public void recover() {
		Awaitility.await().atMost(BOUND).pollInterval(Duration.ofMillis(5)).until(() -> up() >= this.nodes - 1);
	}

	private long up() {
		return this.locks.nodes().stream().filter((node) -> node.health() == Health.UP).count();
	}

	/** Waits until exactly this many nodes are known to be up. */
	void awaitUp(int nodes) {
		Awaitility.await().atMost(BOUND).pollInterval(Duration.ofMillis(5)).until(() -> up() == nodes);
	}

	@Override
	public String name() {
		return this.engine.name().toLowerCase(Locale.ROOT);
	}

	@Override
	public CompletableFuture<@Nullable Held> acquire(String resource, Duration wait) {
		CompletableFuture<@Nullable Held> acquired = new CompletableFuture<>();
		CompletableFuture<Void> body = new CompletableFuture<>();
		CompletableFuture<Void> released = new CompletableFuture<>();
		this.locks.withLock(resource, LockOptions.of(LEASE, wait), (lease) -> {
			acquired.complete(new OurLease(lease, body, released));
			return Mono.fromFuture(body);
		}).toFuture().whenComplete((done, error) -> {
			if (error == null) {
				released.complete(null);
			}
			else if (error instanceof LockTaken) {
				acquired.complete(null);
			}
			else {
				acquired.completeExceptionally(error);
				released.completeExceptionally(error);
			}
		});
		return acquired;
	}

	@Override
	public void close() {
		this.locks.close().block(BOUND);
	}

	/**
	 * A lock that is held.
	 *
	 * @param lease the lease
	 * @param body its completion ends the body
	 * @param released completes when withLock has ended
	 */
	record OurLease(Lease lease, CompletableFuture<Void> body, CompletableFuture<Void> released) implements Held {

		@Override
		public CompletableFuture<?> release() {
			this.body.complete(null);
			return this.released;
		}

	}

}
