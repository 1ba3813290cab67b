package live.retwis.locks.lab.check;

/**
 * Something that must not happen.
 *
 * @param judge who found it: lease or effect
 * @param from nanoseconds since the round began
 * @param until when it ended, in the same unit
 * @param what in words
 */
public record LabViolation(String judge, long from, long until, String what) {
}
