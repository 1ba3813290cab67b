package live.retwis.doctor;

/**
 * A broken rule, as it is told in one line. Two that are equal are the same one, seen
 * twice.
 *
 * @param key where
 * @param what the rule that does not hold there
 */
record BrokenRule(String key, String what) {

	String line(String outcome) {
		return this.key + ": " + this.what + "; " + outcome;
	}

}
