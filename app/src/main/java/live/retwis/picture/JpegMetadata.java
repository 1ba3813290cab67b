package live.retwis.picture;

/**
 * What the decoder does not tell of a JPEG file.
 *
 * @param scans how often the decoder goes over all pixels. A picture has about ten scans
 * at most. A small file can have thousands of them.
 * @param whole whether the file has its end. The decoder fills in grey for what is
 * missing.
 * @param orientation how a camera was held, 1 to 8 as in EXIF; 1 is upright
 */
record JpegMetadata(int scans, boolean whole, int orientation) {

	private static final int SCAN = 0xda;

	private static final int END = 0xd9;

	private static final int EXIF = 0xe1;

	/**
	 * Goes from marker to marker. In the data of a scan, 0xff is followed by 0, or by a
	 * marker without content.
	 */
	static JpegMetadata of(byte[] file) {
		int scans = 0;
		int orientation = 1;
		int at = 2;
		while (at + 3 < file.length) {
			int marker = (file[at] == (byte) 0xff) ? file[at + 1] & 0xff : 0;
			if (marker == END) {
				return new JpegMetadata(scans, true, orientation);
			}
			if (!hasContent(marker)) {
				at++;
				continue;
			}
			int length = ((file[at + 2] & 0xff) << 8) | (file[at + 3] & 0xff);
			if (marker == SCAN) {
				scans++;
			}
			if (marker == EXIF) {
				orientation = ExifOrientation.of(file, at + 4, Math.min(file.length, at + 2 + length), orientation);
			}
			at += 2 + length;
		}
		boolean ended = at + 1 < file.length && file[file.length - 2] == (byte) 0xff
				&& file[file.length - 1] == (byte) END;
		return new JpegMetadata(scans, ended, orientation);
	}

	private static boolean hasContent(int marker) {
		return marker >= 0xc0 && marker < 0xff && (marker < 0xd0 || marker > 0xd8);
	}

}
