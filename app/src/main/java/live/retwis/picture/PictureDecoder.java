package live.retwis.picture;

import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;

import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/**
 * Decodes files with the JDK, and refuses those that would take much memory or time. No
 * temporary file is written.
 */
final class PictureDecoder {

	/** Of a larger picture, only some pixels of each row, and some rows, are kept. */
	private static final int ENOUGH = 4 * Picture.SIDE;

	/** Most pixels of a picture, as many as 4096 × 4096. */
	private static final int MOST_PIXELS = 16 * 1024 * 1024;

	/**
	 * Most pixels times what one of them costs: the number of scans of a JPEG, the bytes
	 * of a pixel for other formats. The slowest file takes 0.3 s of a processor.
	 */
	private static final int MOST_WORK = 4 * MOST_PIXELS;

	/** Longest side in pixels. The decoder for PNG keeps whole rows in memory. */
	private static final int LONGEST_SIDE = 16 * 1024;

	/** Bounds the work for a file with few pixels. */
	private static final int MOST_SCANS = 32;

	private PictureDecoder() {
	}

	/** The middle of a picture as a square, upright. */
	static SquarePicture decode(byte[] file) throws IOException {
		PictureFormat format = PictureFormat.of(file);
		ImageReader reader = format.reader();
		try (ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(file))) {
			reader.setInput(in, true, true);
			if (format == PictureFormat.JPEG) {
				JpegMetadata jpeg = checked(JpegMetadata.of(file));
				return new SquarePicture(middle(reader, jpeg.scans()), jpeg.orientation());
			}
			return new SquarePicture(middle(reader, bytesOfPixel(reader)), 1);
		}
		finally {
			reader.dispose();
		}
	}

	private static JpegMetadata checked(JpegMetadata jpeg) {
		if (!jpeg.whole() || jpeg.scans() > MOST_SCANS) {
			throw PictureRefusedException.unreadable();
		}
		return jpeg;
	}

	private static int bytesOfPixel(ImageReader reader) throws IOException {
		return reader.getRawImageType(0).getColorModel().getPixelSize() / Byte.SIZE;
	}

	/**
	 * Decodes the middle as a square.
	 * @param cost of one pixel
	 */
	private static BufferedImage middle(ImageReader reader, int cost) throws IOException {
		int width = reader.getWidth(0);
		int height = reader.getHeight(0);
		int most = Math.min(MOST_PIXELS, MOST_WORK / Math.max(1, cost));
		if (Math.max(width, height) > LONGEST_SIDE || width * height > most) {
			throw PictureRefusedException.tooManyPixels((int) Math.sqrt(most));
		}
		int side = Math.min(width, height);
		int step = Math.max(1, side / ENOUGH);
		ImageReadParam middle = reader.getDefaultReadParam();
		middle.setSourceRegion(new Rectangle((width - side) / 2, (height - side) / 2, side, side));
		middle.setSourceSubsampling(step, step, 0, 0);
		return reader.read(0, middle);
	}

}
