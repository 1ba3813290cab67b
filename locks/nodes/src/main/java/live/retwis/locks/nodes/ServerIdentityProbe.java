package live.retwis.locks.nodes;

import java.net.ConnectException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.netty.util.HashedWheelTimer;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.jspecify.annotations.Nullable;
import org.redisson.client.RedisClient;
import org.redisson.client.RedisClientConfig;
import org.redisson.client.RedisConnection;
import org.redisson.client.RedisException;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.protocol.RedisCommand;
import org.redisson.client.protocol.RedisCommands;

/**
 * Asks servers on this machine who they are. Each question has a connection of its own,
 * because a connection that is kept would try to reconnect to a server that was meant to
 * end. Uses one thread, which ends with {@link #close()}.
 */
final class ServerIdentityProbe implements AutoCloseable {

	/**
	 * In milliseconds. A server whose disk is busy may take seconds. One that takes
	 * longer hangs.
	 */
	private static final int TIMEOUT = 5000;

	/** How long a server that ends may still accept connections, only to close them. */
	private static final Duration ENDING = Duration.ofSeconds(1);

	private static final String NOT_REDIS = "it does not answer as Redis does";

	private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1,
			new DefaultThreadFactory("redis-nodes", true), NioIoHandler.newFactory());

	private final HashedWheelTimer timer = new HashedWheelTimer(new DefaultThreadFactory("redis-nodes-timer", true));

	private final @Nullable String password;

	ServerIdentityProbe() {
		this(null);
	}

	ServerIdentityProbe(@Nullable String password) {
		this.password = password;
	}

	/**
	 * What a port answered to {@code INFO server}.
	 */
	sealed interface Reply {

		/** Nobody listens there. */
		record Free() implements Reply {
		}

		/** Somebody listens there, but it is not a Redis that lets us ask. */
		record Odd(String why) implements Reply {
		}

		/** A Redis. It may still be loading its data. */
		record Info(Map<String, String> fields) implements Reply {
		}

	}

	Reply info(int port) {
		try {
			// A program that is no Redis may answer anything, whatever the type of the
			// command says.
			Object answer = ask(port, (RedisCommand<?>) RedisCommands.INFO_SERVER);
			return (answer instanceof Map<?, ?> fields) ? new Reply.Info(texts(fields)) : new Reply.Odd(NOT_REDIS);
		}
		catch (RedisException ex) {
			return isRefused(ex) ? new Reply.Free() : new Reply.Odd(why(ex));
		}
	}

	private static Map<String, String> texts(Map<?, ?> fields) {
		return fields.entrySet()
			.stream()
			.collect(Collectors.toMap((field) -> String.valueOf(field.getKey()),
					(field) -> String.valueOf(field.getValue())));
	}

	/** Whether the server takes commands. It does not while it loads its data. */
	boolean isReady(int port) {
		try {
			return "PONG".equals(ask(port, RedisCommands.PING));
		}
		catch (RedisException ex) {
			return false;
		}
	}

	/**
	 * Asks a server. One that hangs up without an answer may just be ending, so it is
	 * asked again until its port is free, for at most a second.
	 */
	private <T> T ask(int port, RedisCommand<T> command) {
		long end = System.nanoTime() + ENDING.toNanos();
		while (true) {
			try {
				return askOnce(port, command);
			}
			catch (HangUpException ex) {
				if (System.nanoTime() - end >= 0 || Thread.currentThread().isInterrupted()) {
					throw ex;
				}
				LockSupport.parkNanos(Poll.STEP.toNanos());
			}
		}
	}

	private <T> T askOnce(int port, RedisCommand<T> command) {
		RedisClientConfig config = new RedisClientConfig().setAddress("redis://127.0.0.1:" + port)
			.setConnectTimeout(TIMEOUT)
			.setCommandTimeout(TIMEOUT)
			.setGroup(this.group)
			.setExecutor(this.group)
			.setTimer(this.timer)
			.setResolverGroup(DefaultAddressResolverGroup.INSTANCE)
			.setNettyHook(new RedisProtocolGuard());
		if (this.password != null) {
			config.setPassword(this.password);
		}
		RedisClient client = RedisClient.create(config);
		try {
			RedisConnection connection = client.connect();
			CompletableFuture<T> answer = connection.<T, T>async(command).toCompletableFuture();
			// Redisson itself would connect again, and wait until the time is over.
			connection.getChannel()
				.closeFuture()
				.addListener((closed) -> answer.completeExceptionally(new HangUpException()));
			return connection.await(answer);
		}
		finally {
			client.shutdown();
		}
	}

	/** The server has closed the connection without an answer. */
	private static final class HangUpException extends RedisException {

		HangUpException() {
			super(NOT_REDIS);
		}

	}

	/**
	 * The reason in the server's words. Redisson adds the channel and the command to
	 * them.
	 */
	private static String why(RedisException failure) {
		return (failure instanceof RedisTimeoutException) ? NOT_REDIS
				: String.valueOf(failure.getMessage()).replaceAll("(?s)\\. channel: .*", "");
	}

	private static boolean isRefused(RedisException failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof ConnectException && !(cause instanceof ConnectTimeoutException)) {
				return true;
			}
		}
		return false;
	}

	@Override
	public void close() {
		this.timer.stop();
		this.group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
	}

}
