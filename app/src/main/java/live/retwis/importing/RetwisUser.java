package live.retwis.importing;

/**
 * A user of the PHP Retwis, as stored there. A text that is missing is empty. A text
 * longer than any form allows is cut, because many users are in memory at the same time.
 *
 * @param number the user's number
 * @param name may have any characters
 * @param password in plain text
 * @param registered a {@link RetwisTime}
 */
record RetwisUser(long number, String name, String password, String registered) {

	/** Characters. A form has fewer, so nobody could log in with a longer text anyway. */
	private static final int LONGEST = 64 * 1024;

	RetwisUser {
		name = RetwisText.cut(name, LONGEST);
		password = RetwisText.cut(password, LONGEST);
	}

}
