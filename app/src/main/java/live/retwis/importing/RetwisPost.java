package live.retwis.importing;

/**
 * A post of the PHP Retwis, as stored there. A text that is missing is empty. Of one that
 * is too long the beginning is kept, because many posts are in memory at the same time.
 *
 * @param number the post's number
 * @param author number of the author
 * @param time a {@link RetwisTime}
 */
record RetwisPost(long number, String author, String time, String body) {

	/**
	 * Longest text, in characters. It may be longer than that of a new post, but no page
	 * should become huge.
	 */
	static final int LONGEST = 20_000;

	/** Characters that are kept. Line ends become shorter before the text is judged. */
	private static final int KEPT = 2 * LONGEST;

	RetwisPost {
		author = beginning(author);
		time = beginning(time);
		body = beginning(body);
	}

	private static String beginning(String text) {
		return RetwisText.cut(text, KEPT);
	}

	/** Whether only the beginning of the text is there. */
	boolean isCut() {
		return RetwisText.isLonger(this.body, KEPT - 1);
	}

}
