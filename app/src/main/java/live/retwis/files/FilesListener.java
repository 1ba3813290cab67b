package live.retwis.files;

/**
 * Something that is made of the site's files. In the profile {@code dev} it is told when
 * one of them has changed.
 */
public interface FilesListener {

	/** When its turn is. */
	default Stage stage() {
		return Stage.PAGES;
	}

	/**
	 * Reads its files again.
	 * @throws IllegalStateException when there is a mistake in one, with the file's name
	 * and what is wrong; it goes on with what it had
	 */
	void filesChanged();

	/** What is made of files, each of those before it. */
	enum Stage {

		/** The catalogue. */
		TEXTS,
		/** The compiled templates. */
		TEMPLATES,
		/** Stylesheet, scripts and icons. */
		STATIC_FILES,
		/** What is kept of pages that were made. */
		PAGES

	}

}
