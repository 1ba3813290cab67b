package live.retwis.importing;

/**
 * A post of the PHP Retwis, as stored there. A text that is missing is empty.
 *
 * @param number the post's number
 * @param author number of the author
 * @param time a {@link RetwisTime}
 */
record RetwisPost(long number, String author, String time, String body) {
}
