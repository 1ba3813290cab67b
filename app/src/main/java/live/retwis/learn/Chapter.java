package live.retwis.learn;

import live.retwis.i18n.Localized;

/**
 * A chapter. Its text is the template {@code templates/learn/<name>.mustache}.
 *
 * @param number from 1
 * @param name in the address
 * @param title what it is about
 * @param summary one line for the list of chapters
 * @param experiment what is played on its page
 */
record Chapter(int number, String name, Localized title, Localized summary, Experiment experiment) {

	/** The address of its page. */
	String address() {
		return LearnHandler.PATH + "/" + this.name;
	}

}
