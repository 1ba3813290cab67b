package live.retwis.locking;

import java.time.Duration;
import java.util.Optional;

import live.retwis.locking.SameLockNodesCheck.LockSetMismatchException;
import live.retwis.locks.IneligibleNodesException;
import live.retwis.locks.NodeState.Health;
import live.retwis.locks.RedLock;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.startup.StartupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Checks the lock nodes before the instance serves anything. Any number of them may be
 * down, but those that answer must match the settings.
 */
@Component
class LockStartupCheck implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(LockStartupCheck.class);

	/** Longest wait. The lock nodes take a second at most, the data node two. */
	private static final Duration LONGEST = Duration.ofSeconds(5);

	private final RedLock locks;

	private final SameLockNodesCheck sameLockNodes;

	private volatile boolean running;

	LockStartupCheck(RedLock locks, SameLockNodesCheck sameLockNodes) {
		this.locks = locks;
		this.sameLockNodes = sameLockNodes;
	}

	/** Blocks the thread that starts the instance. */
	@Override
	public void start() {
		this.locks.ready()
			.then(this.sameLockNodes.check())
			.timeout(LONGEST)
			.thenReturn(Optional.<Throwable>empty())
			.onErrorResume((problem) -> Mono.just(Optional.of(problem)))
			.toFuture()
			.join()
			.ifPresent(LockStartupCheck::judge);
		this.locks.nodes()
			.stream()
			.filter((node) -> node.health() != Health.UP)
			.forEach((node) -> log.warn("Lock node {} does not answer yet: {}", node.name(), node.reason()));
		this.running = true;
	}

	private static void judge(Throwable problem) {
		if (problem instanceof IneligibleNodesException) {
			throw new StartupException("retwis.locks.nodes: " + problem.getMessage() + ".", LockConfiguration.ACTION);
		}
		if (problem instanceof LockSetMismatchException) {
			throw new StartupException(String.valueOf(problem.getMessage()),
					"Give all instances the same. To change the lock nodes or the lease, stop all instances, wait for the "
							+ "longer of the two leases, delete the key locks:set on the data node and start them again.");
		}
		log.warn(
				"The lock nodes cannot be compared with those of the other instances yet. The first write that needs a lock compares them: {}",
				RedisErrorClassifier.reasonText(problem));
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** Starts right after the connection to the data node. */
	@Override
	public int getPhase() {
		return Integer.MIN_VALUE + 2000;
	}

}
