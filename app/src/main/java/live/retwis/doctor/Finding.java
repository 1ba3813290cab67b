package live.retwis.doctor;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A problem that was found, and how to solve it.
 *
 * @param violation the problem
 * @param remedy what to do about it, as text
 * @param repair solves it; null when only people can
 * @param derived whether unfinished fan-out can be the cause
 * @param leftover whether it breaks no rule and only takes up room
 * @param unchecked whether the rules could not be checked
 */
record Finding(RuleViolation violation, String remedy, @Nullable Supplier<Mono<Void>> repair, boolean derived,
		boolean leftover, boolean unchecked) {

	/** A problem that only people can solve. */
	static Finding byHand(String key, String what, String remedy) {
		return new Finding(new RuleViolation(key, what), remedy, null, false, false, false);
	}

	/** A key whose rules could not be checked. */
	static Finding unchecked(String key, String why, String remedy) {
		return new Finding(new RuleViolation(key, "cannot be checked: " + why), remedy, null, false, false, true);
	}

	/**
	 * A problem that can be repaired.
	 * @param remedy the end of a sentence that begins with {@code --fix}
	 */
	static Finding repairable(String key, String what, String remedy, Supplier<Mono<Void>> repair) {
		return new Finding(new RuleViolation(key, what), "--fix " + remedy, repair, false, false, false);
	}

	/** A copy that counts only when fan-out has processed all earlier entries. */
	Finding afterFanOut() {
		return new Finding(this.violation, this.remedy, this.repair, true, this.leftover, this.unchecked);
	}

	/**
	 * A copy that is marked as leftover data, which is expected to exist but is of no
	 * use.
	 */
	Finding asLeftover() {
		return new Finding(this.violation, this.remedy, this.repair, this.derived, true, this.unchecked);
	}

}
