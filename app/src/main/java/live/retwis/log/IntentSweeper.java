package live.retwis.log;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import live.retwis.background.PeriodicTask;
import live.retwis.redis.RedisErrorClassifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/**
 * Looks every second for writes that nobody has finished in time, and finishes them. If a
 * write cannot be finished now, any instance tries again later.
 */
@Component
@ConditionalOnProperty(name = "retwis.fan-out.worker", matchIfMissing = true)
class IntentSweeper extends PeriodicTask {

	private static final Logger log = LoggerFactory.getLogger(IntentSweeper.class);

	private static final Duration EVERY = Duration.ofSeconds(1);

	/** Most intents taken over at once. After a power cut there may be thousands. */
	private static final int BATCH = 100;

	private static final int CONCURRENCY = 8;

	/** Longer than it takes to finish one write. */
	private static final Duration CLAIM_TIME = Duration.ofSeconds(10);

	/**
	 * When a finished write is checked a second time. A command from an instance that
	 * gave up or died may have been delayed on the network until after the first check.
	 */
	private static final Duration SECOND_CHECK_AFTER = Duration.ofMinutes(1);

	private final Intents intents;

	private final Map<Intent.Kind, IntentRecovery> finishers;

	IntentSweeper(Intents intents, List<IntentRecovery> finishers) {
		super(EVERY);
		this.intents = intents;
		this.finishers = new EnumMap<>(Intent.Kind.class);
		finishers.forEach((finisher) -> finisher.kinds().forEach((kind) -> this.finishers.put(kind, finisher)));
	}

	@Override
	protected Mono<Void> run() {
		return this.intents.take(BATCH, CLAIM_TIME)
			.flatMap((taken) -> Flux.fromIterable(taken)
				.flatMap(this::finish, CONCURRENCY)
				.then((taken.size() == BATCH) ? Mono.defer(this::run) : Mono.empty()));
	}

	/**
	 * Finishes one write. An intent of a kind that only a newer release knows is left to
	 * the instances of that release.
	 */
	private Mono<Void> finish(String text) {
		return Mono.justOrEmpty(Intent.parse(text))
			.flatMap((intent) -> Mono.justOrEmpty(this.finishers.get(intent.kind()))
				.flatMap((finisher) -> finisher.finish(intent).thenReturn(intent)))
			.flatMap((intent) -> (intent.isSecondCheck() ? Mono.<Void>empty()
					: this.intents.declare(intent.forSecondCheck(), SECOND_CHECK_AFTER))
				.then(this.intents.drop(intent)))
			.onErrorResume((error) -> {
				if (!RedisErrorClassifier.isAway(error)) {
					log.warn("\"{}\" is finished later: {}", text, RedisErrorClassifier.reason(error).toString());
					log.debug("It failed", error);
				}
				return Mono.empty();
			});
	}

}
