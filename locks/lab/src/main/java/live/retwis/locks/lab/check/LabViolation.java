package live.retwis.locks.lab.check;

/**
 * What must not be.
 *
 * @param judge who found it: lease or effect
 * @param from nanoseconds since the round began
 * @param until when it ended
 * @param what in words
 */
public record LabViolation(String judge, long from, long until, String what) {
}
