package live.retwis.doctor;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What was seen, and what can be done about it.
 *
 * @param violation what was seen
 * @param remedy what to do
 * @param repair does it; null when only people can
 * @param derived whether unfinished fan-out can explain it
 * @param rubbish whether it breaks no rule and only takes up room
 */
record Finding(BrokenRule violation, String remedy, @Nullable Supplier<Mono<Void>> repair, boolean derived,
		boolean rubbish) {

	/** Something that no program can decide. */
	static Finding byHand(String key, String what, String remedy) {
		return new Finding(new BrokenRule(key, what), remedy, null, false, false);
	}

	/**
	 * Something that can be repaired.
	 * @param remedy the end of a sentence that begins with {@code --fix}
	 */
	static Finding repairable(String key, String what, String remedy, Supplier<Mono<Void>> repair) {
		return new Finding(new BrokenRule(key, what), "--fix " + remedy, repair, false, false);
	}

	/** Counts only when fan-out has done everything of before. */
	Finding afterFanOut() {
		return new Finding(this.violation, this.remedy, this.repair, true, this.rubbish);
	}

	/** Of no use any more, as designed. */
	Finding asRubbish() {
		return new Finding(this.violation, this.remedy, this.repair, this.derived, true);
	}

}
