package live.retwis.importing;

/**
 * A follow of the PHP Retwis, as stored there.
 *
 * @param follower number of the user who follows
 * @param followed number of the user who is followed
 * @param time a {@link RetwisTime}; empty when it is not known
 */
record RetwisFollow(String follower, String followed, String time) {
}
