package live.retwis.files;

/**
 * Holds something that is made of the site's files. In the profile {@code dev} it is
 * called when a file has changed.
 */
public interface FileChangeListener {

	/** When it is called, compared with the other listeners. */
	default Stage stage() {
		return Stage.PAGES;
	}

	/**
	 * Reads its files again.
	 * @throws IllegalStateException when a file has a mistake; the message has the file's
	 * name and the mistake, and the listener keeps what it had
	 */
	void filesChanged();

	/**
	 * The order in which listeners are called. What is made in a stage can depend on the
	 * stages before it.
	 */
	enum Stage {

		/** The catalogue. */
		TEXTS,
		/** The compiled templates. */
		TEMPLATES,
		/** Stylesheet, scripts and icons. */
		STATIC_FILES,
		/** Cached pages. */
		PAGES

	}

}
