package live.retwis.lab;

import live.retwis.i18n.Localized;
import live.retwis.locks.lab.play.FurtherReading;

/**
 * Something to read about locks. Its title is in English, as it was published.
 *
 * @param note what it is about, in the language of the page
 */
record CitationView(String who, String title, String url, Localized note) {

	static CitationView of(FurtherReading source) {
		return new CitationView(source.who(), source.title(), source.url(), LocalizedLabWords.text(source::note));
	}

}
