package live.retwis.redis;

import java.time.Duration;
import java.util.List;
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

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.data.redis.autoconfigure.ClientResourcesBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Runs the Redis client on the event loops of the web server, and closes connections
 * whose node has stopped answering.
 */
@Configuration(proxyBeanMethods = false)
class RedisEventLoopConfiguration {

	/**
	 * After this many command timeouts in a row, the connections to a node are closed.
	 */
	private static final int SILENT_TIMEOUTS = 2;

	@Bean
	ClientResourcesBuilderCustomizer sharedLoops(LoopResources loops, DataRedisProperties redis,
			ObjectProvider<DataNodeChannelCustomizer> customizers) {
		Duration timeout = Objects.requireNonNullElse(redis.getTimeout(), RedisURI.DEFAULT_TIMEOUT_DURATION);
		return (resources) -> resources.eventLoopGroupProvider(new SharedLoops(loops))
			.nettyCustomizer(new Handlers(timeout.multipliedBy(SILENT_TIMEOUTS),
					new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE), customizers.stream().toList()));
	}

	/**
	 * Lends the event loops to the Redis client. When the client shuts down, they keep
	 * running.
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
	 * Sends commands together that are written in one turn of an event loop. By default
	 * the client flushes after each command. With this, the commands of many pages cost
	 * the client one write, and Redis one read and one write.
	 */
	private record Handlers(Duration longestSilence, ChannelGroup open,
			List<DataNodeChannelCustomizer> customizers) implements NettyCustomizer {

		@Override
		public void afterChannelInitialized(Channel channel) {
			this.open.add(channel);
			channel.pipeline()
				.addFirst(new FlushConsolidationHandler(FlushConsolidationHandler.DEFAULT_EXPLICIT_FLUSH_AFTER_FLUSHES,
						true), new StalledConnectionCloser(this.longestSilence, this.open));
			this.customizers.forEach((customizer) -> customizer.prepare(channel));
		}

	}

}
