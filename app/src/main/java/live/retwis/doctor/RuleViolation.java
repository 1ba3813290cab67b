package live.retwis.doctor;

/**
 * A broken rule, reported in one line. Two equal instances are the same problem, seen
 * twice.
 *
 * @param key the key at which the rule is broken
 * @param what how it is broken
 */
record RuleViolation(String key, String what) {

	String line(String outcome) {
		return this.key + ": " + this.what + "; " + outcome;
	}

}
