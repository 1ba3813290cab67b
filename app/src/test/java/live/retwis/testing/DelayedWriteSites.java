package live.retwis.testing;

import java.time.Duration;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLog;
import live.retwis.redis.RedisErrorClassifier;
import org.awaitility.Awaitility;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Two instances without workers. A write of the slow one can be held on its way to Redis
 * while the fast one writes, and so can the answer to its write.
 */
public final class DelayedWriteSites implements AutoCloseable {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final String NO_WORKER = "--retwis.fan-out.worker=false";

	private static final String IMPATIENT = "--spring.data.redis.timeout=1s";

	private final FaultProxy way;

	private final Site fast;

	private final Site slow;

	public DelayedWriteSites(TestRedis redis) {
		this.way = redis.proxy();
		this.fast = Site.start(redis, NO_WORKER);
		this.slow = Site.startAt("127.0.0.1", this.way.port(), NO_WORKER, IMPATIENT);
	}

	public Site fast() {
		return this.fast;
	}

	public Site slow() {
		return this.slow;
	}

	/**
	 * Runs the late write, and the other one while the script of the late one for this
	 * key is held up. Returns when the late one has arrived.
	 */
	public void late(String key, Mono<?> late, Mono<?> meanwhile) {
		try (Interception held = this.way.at(SentCommand.named("EVALSHA").and(SentCommand.with(key))).holdCommand()) {
			assertThatException().isThrownBy(() -> late.block(BOUND)).matches(RedisErrorClassifier::isAway);
			held.awaitMet();
			meanwhile.block(BOUND);
		}
		// The connection answers in order, so the script has run by then.
		awaitSlow();
	}

	/**
	 * Does something at the slow site whose script with this argument runs, while its
	 * answer is held up. The node must know the script. Returns when the slow site has
	 * answers again.
	 */
	public void unanswered(String argument, Runnable action) {
		try (Interception held = this.way.at(SentCommand.named("EVALSHA").and(SentCommand.with(argument)))
			.holdReply()) {
			action.run();
			held.awaitMet();
		}
		awaitSlow();
	}

	private void awaitSlow() {
		CommitLog next = this.slow.bean(CommitLog.class);
		Awaitility.await().atMost(BOUND).ignoreExceptions().until(() -> next.head().block(BOUND) != null);
	}

	@Override
	public void close() {
		this.slow.close();
		this.fast.close();
		this.way.close();
	}

}
