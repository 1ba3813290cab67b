package live.retwis.fanout;

import java.time.Duration;
import java.util.List;

import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Detects instances of an older release, whose home timelines have other names, while a
 * rolling upgrade replaces them. As long as one of them processes the log, only the older
 * release does so, and its readers miss nothing. Meanwhile this release starts no
 * timelines, because they would lack what the older release processes. Until they begin,
 * it builds pages from the lists of the authors.
 */
@Component
public class UpgradeGate {

	private static final Logger log = LoggerFactory.getLogger(UpgradeGate.class);

	private static final LuaScript OLDER_RELEASE = LuaScript.named("older-release");

	/**
	 * A working instance of the older release renews its claims every ten seconds, so one
	 * that was not seen for this long is gone.
	 */
	private static final Duration UNSEEN = Duration.ofSeconds(30);

	private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

	private final ReactiveStringRedisTemplate redis;

	/**
	 * Whether all older instances are gone. This never changes back, because an upgrade
	 * replaces each instance once.
	 */
	private volatile boolean gone;

	UpgradeGate(ReactiveStringRedisTemplate redis) {
		this.redis = redis;
	}

	/**
	 * {@code older-release.lua}: whether an older release is still at work. It asks Redis
	 * until the answer is no, and remembers that.
	 */
	public Mono<Boolean> isAtWork() {
		return this.gone ? Mono.just(false)
				: OLDER_RELEASE
					.run(this.redis, List.of(Keys.LOG), ConsumerGroup.NAME, ConsumerGroup.MARK,
							Long.toString(UNSEEN.toMillis()))
					.map((answer) -> answer.get(0).equals("1"))
					.onErrorResume(ConsumerGroup::isNoGroup, (none) -> Mono.just(false))
					.doOnNext((atWork) -> this.gone = !atWork);
	}

	/** Completes when no older release is at work any more. */
	Mono<Void> awaitGone() {
		return Mono.defer(this::isAtWork)
			.retryWhen(Retry.fixedDelay(Long.MAX_VALUE, LOOK_EVERY))
			.repeatWhen((again) -> again.delayElements(LOOK_EVERY))
			.takeWhile(Boolean::booleanValue)
			.distinct()
			.doOnNext((atWork) -> log.info("An older release fills the home timelines; this one waits for its end"))
			.then();
	}

}
