package live.retwis.picture;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;

/** A file does not become a picture. The text says why, and what to do. */
public final class PictureRefused extends RuntimeException {

	private final transient Localized text;

	private PictureRefused(Message text) {
		super(text.toString(), null, false, false);
		this.text = text;
	}

	/** The file is no picture, or is damaged. */
	static PictureRefused unreadable() {
		return new PictureRefused(Message.of("settings.picture-unreadable"));
	}

	/** The picture has too many pixels. */
	static PictureRefused tooManyPixels() {
		return new PictureRefused(Message.of("settings.picture-pixels", PictureReader.MOST_PIXELS));
	}

	/** What people read. */
	public Localized text() {
		return this.text;
	}

}
