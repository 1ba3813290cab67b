package live.retwis.doctor;

import java.util.List;
import java.util.Optional;

import reactor.core.publisher.Flux;

import org.springframework.stereotype.Component;

/**
 * Checks one key: whether it belongs to a known family, has that family's type and
 * expiry, and keeps the family's rules.
 */
@Component
class KeyExaminer {

	private final List<KeySchema> families;

	private final StoreReader store;

	private final Repairs repairs;

	KeyExaminer(List<Rules> rules, StoreReader store, Repairs repairs) {
		this.families = rules.stream().flatMap((some) -> some.families().stream()).toList();
		this.store = store;
		this.repairs = repairs;
	}

	/** What is wrong with the key now; empty when the key is gone. */
	Flux<Finding> of(String key) {
		Optional<KeySchema> keySchema = this.families.stream().filter((some) -> some.has(key)).findFirst();
		return keySchema.isPresent() ? this.store.type(key).flatMapMany((type) -> known(key, type, keySchema.get()))
				: Flux.just(Finding.byHand(key, "is of no family of this site", "delete it by hand or move it away"));
	}

	private Flux<Finding> known(String key, String type, KeySchema keySchema) {
		if (type.equals("none")) {
			return Flux.empty();
		}
		if (!type.equals(keySchema.type())) {
			return Flux
				.just(Finding.byHand(key, "is a " + type + " and not a " + keySchema.type(), "move it away by hand"));
		}
		return expiry(key, keySchema).concatWith(Flux.defer(() -> keySchema.check().apply(keySchema.idOf(key))));
	}

	private Flux<Finding> expiry(String key, KeySchema keySchema) {
		if (keySchema.life() == null) {
			return Flux.empty();
		}
		long millis = keySchema.life().toMillis();
		return this.store.expires(key)
			.flatMapMany((expires) -> expires ? Flux.empty() : Flux.just(Finding.repairable(key, "never expires",
					"gives it " + keySchema.life() + " to live", () -> this.repairs.setExpiry(key, millis))));
	}

}
