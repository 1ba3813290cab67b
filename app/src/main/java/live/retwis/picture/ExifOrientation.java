package live.retwis.picture;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Finds in EXIF data how a camera was held. */
final class ExifOrientation {

	/** “Exif”, then two zeros. */
	private static final long HEADER = 0x457869660000L;

	private static final int HEADER_BYTES = 6;

	private static final short INTEL = 0x4949;

	private static final short TAG = 0x0112;

	/** Bytes of an entry: tag, type, count, value. */
	private static final int ENTRY = 12;

	private ExifOrientation() {
	}

	/**
	 * The orientation, 1 to 8.
	 * @param from where the data begins in the file
	 * @param to where it ends
	 * @param unknown the result when the data does not say it
	 */
	static int of(byte[] file, int from, int to, int unknown) {
		if (to - from < HEADER_BYTES + 8 || ByteBuffer.wrap(file).getLong(from) >>> 16 != HEADER) {
			return unknown;
		}
		ByteBuffer tiff = ByteBuffer.wrap(file, from + HEADER_BYTES, to - from - HEADER_BYTES).slice();
		tiff.order((tiff.getShort(0) == INTEL) ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
		long directory = Integer.toUnsignedLong(tiff.getInt(4));
		if (directory > tiff.limit() - 2) {
			return unknown;
		}
		int entries = Short.toUnsignedInt(tiff.getShort((int) directory));
		for (int i = 0; i < entries; i++) {
			int entry = (int) directory + 2 + i * ENTRY;
			if (entry + ENTRY > tiff.limit()) {
				return unknown;
			}
			if (tiff.getShort(entry) == TAG) {
				int value = tiff.getShort(entry + 8);
				return (value >= 1 && value <= 8) ? value : unknown;
			}
		}
		return unknown;
	}

}
