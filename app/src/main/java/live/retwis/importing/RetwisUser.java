package live.retwis.importing;

/**
 * A user of the PHP Retwis, as stored there. A text that is missing is empty.
 *
 * @param number the user's number
 * @param name may have any characters
 * @param password in plain text
 * @param registered a {@link RetwisTime}
 */
record RetwisUser(long number, String name, String password, String registered) {
}
