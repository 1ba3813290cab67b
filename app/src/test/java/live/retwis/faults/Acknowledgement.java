package live.retwis.faults;

/**
 * Something that a user did, and that an instance has acknowledged.
 *
 * @param userId id of the user
 * @param sent when it was sent first, by {@link System#nanoTime()}
 * @param answered when the answer was there, by {@link System#nanoTime()}
 */
record Acknowledgement(String userId, long sent, long answered) {
}
