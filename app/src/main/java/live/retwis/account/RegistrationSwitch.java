package live.retwis.account;

import java.time.Duration;

import live.retwis.background.PeriodicTask;
import live.retwis.logging.OncePerMinute;
import live.retwis.redis.Keys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * {@code {moderation}:registration}: whether visitors may register. Each instance reads
 * it every second. The very first instance to start stores what
 * {@code retwis.registration} says.
 */
@Component
public class RegistrationSwitch extends PeriodicTask {

	private static final Logger log = LoggerFactory.getLogger(RegistrationSwitch.class);

	private static final Duration EVERY = Duration.ofSeconds(1);

	private final OncePerMinute logged = new OncePerMinute();

	private final ReactiveStringRedisTemplate redis;

	private final String first;

	private volatile @Nullable Boolean open;

	RegistrationSwitch(ReactiveStringRedisTemplate redis, InitialRegistrationProperties properties) {
		super(EVERY);
		this.redis = redis;
		this.first = properties.registration().text();
	}

	/** Whether visitors may register, as of a second ago. */
	Mono<Boolean> isOpen() {
		Boolean known = this.open;
		return (known != null) ? Mono.just(known) : read();
	}

	/** GET. If there is no value, SET with NX and GET again. */
	private Mono<Boolean> read() {
		Mono<String> get = this.redis.opsForValue().get(Keys.REGISTRATION);
		return get
			.switchIfEmpty(
					Mono.defer(() -> this.redis.opsForValue().setIfAbsent(Keys.REGISTRATION, this.first)).then(get))
			.map(this::isOpen)
			.doOnNext((read) -> this.open = read);
	}

	private boolean isOpen(String stored) {
		if (!RegistrationMode.isValid(stored) && this.logged.isDue()) {
			log.warn(
					"{} is \"{}\". It must be \"open\" or \"closed\". Until it is, visitors cannot register. The command "
							+ "moderate registration open sets it.",
					Keys.REGISTRATION, stored);
		}
		return RegistrationMode.OPEN.text().equals(stored);
	}

	/** SET: all instances know it within a second. */
	public Mono<Void> set(RegistrationMode mode) {
		return this.redis.opsForValue().set(Keys.REGISTRATION, mode.text()).then();
	}

	@Override
	protected Mono<Void> run() {
		return read().then();
	}

}
