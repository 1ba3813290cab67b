package live.retwis.doctor;

import java.util.List;
import java.util.Optional;

import reactor.core.publisher.Flux;

import org.springframework.stereotype.Component;

/**
 * Looks at one key: whether it is of a known family and of its type, expires where it is
 * to, and keeps the rules of its family.
 */
@Component
class Examination {

	private final List<Family> families;

	private final Store store;

	private final Repairs repairs;

	Examination(List<Rules> rules, Store store, Repairs repairs) {
		this.families = rules.stream().flatMap((some) -> some.families().stream()).toList();
		this.store = store;
		this.repairs = repairs;
	}

	/** What is wrong with that key now; nothing when it is gone. */
	Flux<Finding> of(String key) {
		Optional<Family> family = this.families.stream().filter((some) -> some.has(key)).findFirst();
		return family.isPresent() ? this.store.type(key).flatMapMany((type) -> known(key, type, family.get()))
				: Flux.just(Finding.byHand(key, "is of no family of this site", "delete it by hand or move it away"));
	}

	private Flux<Finding> known(String key, String type, Family family) {
		if (type.equals("none")) {
			return Flux.empty();
		}
		if (!type.equals(family.type())) {
			return Flux
				.just(Finding.byHand(key, "is a " + type + " and not a " + family.type(), "move it away by hand"));
		}
		return expiry(key, family).concatWith(Flux.defer(() -> family.check().apply(family.idOf(key))));
	}

	private Flux<Finding> expiry(String key, Family family) {
		if (family.life() == null) {
			return Flux.empty();
		}
		long millis = family.life().toMillis();
		return this.store.expires(key)
			.flatMapMany((expires) -> expires ? Flux.empty() : Flux.just(Finding.repairable(key, "never expires",
					"gives it " + family.life() + " to live", () -> this.repairs.setExpiry(key, millis))));
	}

}
