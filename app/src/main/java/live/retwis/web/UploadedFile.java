package live.retwis.web;

/**
 * A file that was sent with a form.
 *
 * @param content its first {@link #MOST_BYTES}
 * @param whole whether that is all of it
 */
public record UploadedFile(byte[] content, boolean whole) {

	/** Most bytes that are kept of the files of one form. */
	public static final int MOST_BYTES = 256 * 1024;

}
