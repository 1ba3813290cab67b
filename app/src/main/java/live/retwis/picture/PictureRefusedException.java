package live.retwis.picture;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;

/** A file does not become a picture. The text says why, and what to do. */
public final class PictureRefusedException extends RuntimeException {

	private final transient Localized text;

	private PictureRefusedException(Message text) {
		super(text.toString(), null, false, false);
		this.text = text;
	}

	/** The file is no picture, or is damaged. */
	static PictureRefusedException unreadable() {
		return new PictureRefusedException(Message.of("settings.picture-unreadable"));
	}

	/**
	 * Decoding the picture would take too long.
	 * @param side width and height in pixels that such a file may have
	 */
	static PictureRefusedException tooManyPixels(int side) {
		return new PictureRefusedException(Message.of("settings.picture-pixels", side));
	}

	/** What people read. */
	public Localized text() {
		return this.text;
	}

}
