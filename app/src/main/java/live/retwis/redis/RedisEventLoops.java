package live.retwis.redis;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import reactor.netty.resources.LoopResources;

import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The Redis client runs on the event loops of the web server, and closes connections that
 * do not answer any more.
 */
@Configuration(proxyBeanMethods = false)
class RedisEventLoops {

	/** A node that has let so many commands time out one after the other is left. */
	private static final int SILENT_TIMEOUTS = 2;

	@Bean
	ClientResourcesBuilderCustomizer sharedLoops(LoopResources loops, DataRedisProperties redis) {
		Duration timeout = Objects.requireNonNullElse(redis.getTimeout(), RedisURI.DEFAULT_TIMEOUT_DURATION);
		return (resources) -> resources.eventLoopGroupProvider(new SharedLoops(loops))
			.nettyCustomizer(new Handlers(timeout.multipliedBy(SILENT_TIMEOUTS),
					new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE)));
	}

	/**
	 * Lends them to the Redis client, which gives them back unharmed.
	 */
	private record SharedLoops(LoopResources loops) implements EventLoopGroupProvider {

		@Override
		@SuppressWarnings("unchecked")
		public <T extends EventLoopGroup> T allocate(Class<T> type) {
			return (T) this.loops.onServer(LoopResources.hasNativeSupport());
		}

		@Override
		public int threadPoolSize() {
			return Runtime.getRuntime().availableProcessors();
		}

		@Override
		public Future<Boolean> release(EventExecutorGroup group, long quietPeriod, long timeout, TimeUnit unit) {
			return ImmediateEventExecutor.INSTANCE.newSucceededFuture(true);
		}

		@Override
		public Future<Boolean> shutdown(long quietPeriod, long timeout, TimeUnit unit) {
			return ImmediateEventExecutor.INSTANCE.newSucceededFuture(true);
		}

	}

	/**
	 * The client flushes after each command. Commands of all pages that a loop works on
	 * in one turn travel together instead: one write for the client, one read and one
	 * write for Redis.
	 */
	private record Handlers(Duration longestSilence, ChannelGroup open) implements NettyCustomizer {

		@Override
		public void afterChannelInitialized(Channel channel) {
			this.open.add(channel);
			channel.pipeline()
				.addFirst(new FlushConsolidationHandler(FlushConsolidationHandler.DEFAULT_EXPLICIT_FLUSH_AFTER_FLUSHES,
						true), new StalledConnectionCloser(this.longestSilence, this.open));
		}

	}

}
