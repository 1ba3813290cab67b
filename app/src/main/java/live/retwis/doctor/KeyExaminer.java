package live.retwis.doctor;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import live.retwis.redis.RedisErrorClassifier;
import reactor.core.publisher.Flux;
import reactor.util.retry.Retry;
import reactor.util.retry.RetryBackoffSpec;

import org.springframework.stereotype.Component;

/**
 * Checks one key, or one author in the archive. Of a key: whether a schema describes it,
 * whether it has that schema's type and expiry, and whether it keeps the schema's rules.
 */
@Component
class KeyExaminer {

	/**
	 * Times that something is read again while Redis is away. The pauses take a quarter
	 * of a minute.
	 */
	private static final int TRIES = 12;

	private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

	private static final Duration LAST_PAUSE = Duration.ofSeconds(2);

	private final List<KeySchema> keySchemas;

	private final StoreReader store;

	private final Repairs repairs;

	KeyExaminer(List<RuleSet> rules, StoreReader store, Repairs repairs) {
		this.keySchemas = rules.stream().flatMap((some) -> some.keySchemas().stream()).toList();
		this.store = store;
		this.repairs = repairs;
	}

	/**
	 * What is wrong with the key now; empty when the key is gone. Fails only when
	 * something that it needs stays away. A finding may come twice.
	 */
	Flux<Finding> of(String key) {
		Optional<KeySchema> keySchema = this.keySchemas.stream().filter((some) -> some.has(key)).findFirst();
		return keySchema.isPresent() ? known(key, keySchema.get()).retryWhen(whileAway())
			.onErrorResume((error) -> !RedisErrorClassifier.isAway(error), (error) -> Flux.just(unreadable(key, error)))
				: Flux.just(Finding.byHand(key, "is not a key of this site", "delete it by hand or move it away"));
	}

	/** A pause of the data node, or a fail-over, must not end the examination of keys. */
	static RetryBackoffSpec whileAway() {
		return Retry.backoff(TRIES, FIRST_PAUSE)
			.maxBackoff(LAST_PAUSE)
			.filter(RedisErrorClassifier::isAway)
			.onRetryExhaustedThrow((tries, last) -> last.failure());
	}

	private static Finding unreadable(String key, Throwable error) {
		return Finding.unchecked(key, RedisErrorClassifier.reasonText(error),
				"look what it holds, and mend it by hand");
	}

	private Flux<Finding> known(String key, KeySchema keySchema) {
		String type = keySchema.type();
		return (type == null) ? rules(key, keySchema)
				: this.store.type(key).flatMapMany((found) -> typed(key, found, type, keySchema));
	}

	/**
	 * The rules may look at other keys. When one of those has another type, that is a
	 * finding of its own, and the rules cannot be checked before that is mended.
	 */
	private static Flux<Finding> rules(String key, KeySchema keySchema) {
		return Flux.defer(() -> keySchema.check().apply(keySchema.idOf(key)))
			.onErrorResume(RedisErrorClassifier::isWrongType, (wrong) -> Flux.empty())
			.onErrorResume(NumberFormatException.class, (wrong) -> Flux
				.just(Finding.byHand(key, "has, or names, what should have a number and does not", "mend it by hand")));
	}

	private Flux<Finding> typed(String key, String type, String wanted, KeySchema keySchema) {
		if (type.equals("none")) {
			return Flux.empty();
		}
		if (!type.equals(wanted)) {
			return Flux
				.just(Finding.byHand(key, "is a " + type + ", but should be a " + wanted, "move it away by hand"));
		}
		return expiry(key, keySchema).concatWith(rules(key, keySchema));
	}

	private Flux<Finding> expiry(String key, KeySchema keySchema) {
		if (keySchema.life() == null) {
			return Flux.empty();
		}
		long millis = keySchema.life().toMillis();
		return this.store.expires(key)
			.flatMapMany((expires) -> expires ? Flux.empty() : Flux.just(Finding.repairable(key, "never expires",
					"makes it expire after " + keySchema.life(), () -> this.repairs.setExpiry(key, millis))));
	}

}
