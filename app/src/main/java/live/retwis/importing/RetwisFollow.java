package live.retwis.importing;

/**
 * A follower of a user of the PHP Retwis, as stored there.
 *
 * @param follower number of the follower
 * @param time a {@link RetwisTime}; empty when it is not known
 */
record RetwisFollow(String follower, String time) {
}
