package live.retwis.importing;

import java.time.Duration;
import java.util.Optional;
import java.util.Properties;

import live.retwis.redis.RedisErrorClassifier;
import reactor.core.publisher.Mono;
import reactor.function.TupleUtils;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

/** The Redis that the PHP Retwis has its data in. Nothing is written there. */
final class RetwisSource implements AutoCloseable {

	/** Longest time of a command. The server may be busy with others. */
	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private final LettuceConnectionFactory factory;

	private final ReactiveStringRedisTemplate redis;

	private final RetwisKeyReader keys;

	private RetwisSource(LettuceConnectionFactory factory) {
		this.factory = factory;
		this.redis = new ReactiveStringRedisTemplate(factory);
		this.keys = new RetwisKeyReader(this.redis);
	}

	/**
	 * Connects.
	 * @param address {@code redis://[:password@]host:port/db}
	 * @throws NotReadableException when the address is malformed, or nothing answers
	 * there
	 */
	static RetwisSource open(String address) {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(configuration(address), client(address));
		factory.setEagerInitialization(true);
		try {
			factory.afterPropertiesSet();
			factory.start();
			return new RetwisSource(factory);
		}
		catch (RuntimeException ex) {
			factory.destroy();
			throw new NotReadableException("The Redis to read from cannot be reached: "
					+ Optional.ofNullable(NestedExceptionUtils.getRootCause(ex)).orElse(ex).getMessage());
		}
	}

	private static RedisConfiguration configuration(String address) {
		try {
			return LettuceConnectionFactory.createRedisConfiguration(address);
		}
		catch (IllegalArgumentException ex) {
			throw new NotReadableException("--from must look like redis://[:password@]host:port/db.");
		}
	}

	private static LettuceClientConfiguration client(String address) {
		LettuceClientConfiguration.LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder()
			.commandTimeout(TIMEOUT);
		return address.startsWith("rediss:") ? client.useSsl().build() : client.build();
	}

	/**
	 * The layout of the data; {@link NotReadableException} when there is none, or more
	 * than one.
	 */
	Mono<RetwisLayout> layout() {
		return Mono
			.zip(this.keys.exists("next_user_id"), this.keys.exists("users"), this.keys.exists("global:nextUserId"))
			.flatMap(TupleUtils
				.function((nextUserId, users, globalNextUserId) -> layout(nextUserId || users, globalNextUserId)))
			.onErrorMap(RedisErrorClassifier::isAway, (away) -> new NotReadableException(
					"The Redis to read from does not answer: " + RedisErrorClassifier.reasonText(away)));
	}

	private Mono<RetwisLayout> layout(boolean of2014, boolean of2011) {
		if (of2014 == of2011) {
			return Mono.error(new NotReadableException(of2014
					? "There are two layouts of Retwis: next_user_id or users, and global:nextUserId. "
							+ "Put the data of one of them into another database."
					: "There is no data of Retwis: neither next_user_id or users, nor global:nextUserId."));
		}
		return Mono.just(of2014 ? new Layout2014(this.keys) : new Layout2011(this.keys));
	}

	/** INFO: whether it is the same database of the same server. */
	Mono<Boolean> is(LettuceConnectionFactory other) {
		if (other.getDatabase() != this.factory.getDatabase()) {
			return Mono.just(false);
		}
		return Mono.zip(server(this.redis), server(new ReactiveStringRedisTemplate(other)), (mine, others) -> {
			String run = mine.getProperty("run_id");
			return run != null && others.containsValue(run);
		});
	}

	private static Mono<Properties> server(ReactiveStringRedisTemplate redis) {
		return redis.execute((connection) -> connection.serverCommands().info("server")).next();
	}

	@Override
	public void close() {
		this.factory.destroy();
	}

	/** The data cannot be imported. Nothing has been written. */
	static class NotReadableException extends RuntimeException {

		NotReadableException(String reason) {
			super(reason);
		}

	}

}
