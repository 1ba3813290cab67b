package live.retwis.limit;

import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.proxy.ClientSideConfig;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.AbstractCompareAndSwapBasedProxyManager;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.AsyncCompareAndSwapOperation;
import io.github.bucket4j.distributed.proxy.generic.compare_and_swap.CompareAndSwapOperation;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.distributed.remote.RemoteBucketState;
import live.retwis.redis.CommandRecorderContext;
import live.retwis.redis.DataClock;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * {@code limit:{rule}:{subject}}: token buckets that all instances share. Bucket4j
 * computes a bucket's next state, and {@code swap-value.lua} stores it if nobody has
 * stored another one meanwhile.
 * <p>
 * An instance remembers the state that it has seen last, so an attempt costs one round
 * trip. If another instance has counted meanwhile, the script answers the state of now,
 * and the second attempt starts from that. A refusal costs no round trip: a bucket that
 * was empty is not fuller before its time. Attempts of one instance for one bucket that
 * come at the same time travel together.
 * <p>
 * Redisson's rate limiter would need a second client for the data: here Redisson is
 * connected to the lock nodes only. It allows one rate for a name, and takes four keys
 * and a server's clock for it. Bucket4j's own module for Lettuce would need a connection
 * with another encoding, and two round trips for each attempt.
 */
@Component
class SharedBuckets extends AbstractCompareAndSwapBasedProxyManager<String> {

	/** Buckets that an instance remembers, about 1 kB each. */
	private static final int REMEMBERED = 10_000;

	/** A bucket that is full again needs no key. This is for clocks that differ. */
	private static final long SLACK_MILLIS = 1_000;

	private static final LuaScript SWAP = LuaScript.named("swap-value");

	private final DataNodeCommands data;

	private final Mono<?> ready;

	private final Cache<String, AsyncBucketProxy> buckets = Caffeine.newBuilder().maximumSize(REMEMBERED).build();

	/** The last known states, as Redis has them. */
	private final Cache<String, String> states = Caffeine.newBuilder().maximumSize(REMEMBERED).build();

	@Autowired
	SharedBuckets(DataNodeCommands data, DataClock clock) {
		this(data, new DataMeter(clock), Mono.defer(clock::millis));
	}

	/**
	 * Buckets with a clock of their own.
	 * @param ready done as soon as the clock can be asked
	 */
	SharedBuckets(DataNodeCommands data, TimeMeter clock, Mono<?> ready) {
		super(ClientSideConfig.getDefault().withClientClock(clock));
		this.data = data;
		this.ready = ready;
	}

	/** Takes a token of a bucket, unless it has none. */
	Mono<ConsumptionProbe> take(AsyncBucketProxy bucket) {
		return this.ready.then(CommandRecorderContext.fromFuture(() -> bucket.tryConsumeAndReturnRemaining(1)));
	}

	/**
	 * A bucket.
	 * @param rates apply when the bucket is filled for the first time
	 */
	AsyncBucketProxy get(String rule, String subject, RateLimitSpec rates) {
		return this.buckets.get(Keys.limit(rule, subject),
				(key) -> asAsync().builder()
					.withOptimization(Optimizations.batching())
					.build(key, () -> CompletableFuture.completedFuture(rates.buckets())));
	}

	@Override
	protected AsyncCompareAndSwapOperation beginAsyncCompareAndSwapOperation(String key) {
		return new AsyncCompareAndSwapOperation() {

			@Override
			public CompletableFuture<Optional<byte[]>> getStateData(Optional<Long> timeout) {
				return CompletableFuture
					.completedFuture(Optional.ofNullable(SharedBuckets.this.states.getIfPresent(key))
						.map(Base64.getDecoder()::decode));
			}

			@Override
			public CompletableFuture<Boolean> compareAndSwap(byte[] before, byte[] after, RemoteBucketState state,
					Optional<Long> timeout) {
				return swap(key, (before != null) ? Base64.getEncoder().encodeToString(before) : "",
						Base64.getEncoder().encodeToString(after), state);
			}

		};
	}

	/** {@code swap-value.lua}. */
	private CompletableFuture<Boolean> swap(String key, String before, String after, RemoteBucketState state) {
		long life = SLACK_MILLIS + state.calculateFullRefillingTime(currentTimeNanos()) / 1_000_000;
		return CommandRecorderContext
			.toFuture(this.data.run(SWAP, List.of(key), before, after, Long.toString(life)).map((now) -> {
				String known = now.isEmpty() ? after : now.get(0);
				if (known.isEmpty()) {
					this.states.invalidate(key);
				}
				else {
					this.states.put(key, known);
				}
				return now.isEmpty();
			}));
	}

	@Override
	public boolean isAsyncModeSupported() {
		return true;
	}

	@Override
	protected CompareAndSwapOperation beginCompareAndSwapOperation(String key) {
		throw new UnsupportedOperationException("would block");
	}

	@Override
	public void removeProxy(String key) {
		throw new UnsupportedOperationException("buckets expire by themselves");
	}

	@Override
	protected CompletableFuture<Void> removeAsync(String key) {
		throw new UnsupportedOperationException("buckets expire by themselves");
	}

	/** The data node's clock, once it is known. It is the same for all instances. */
	private record DataMeter(DataClock clock) implements TimeMeter {

		@Override
		public long currentTimeNanos() {
			return this.clock.knownMicros().orElseThrow() * 1000;
		}

		@Override
		public boolean isWallClockBased() {
			return true;
		}

	}

}
