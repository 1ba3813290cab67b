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

	private static final int MOST_SCANS = 32;

	private PictureDecoder() {
	}

	/** The middle of a picture as a square, upright. */
	static Square decode(byte[] file) throws IOException {
		PictureFormat format = PictureFormat.of(file);
		int orientation = (format == PictureFormat.JPEG) ? checked(JpegFile.of(file)).orientation() : 1;
		return new Square(decode(format.reader(), file), orientation);
	}

	private static JpegFile checked(JpegFile jpeg) {
		if (!jpeg.whole() || jpeg.scans() > MOST_SCANS) {
			throw PictureRefused.unreadable();
		}
		return jpeg;
	}

	private static BufferedImage decode(ImageReader reader, byte[] file) throws IOException {
		try (ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(file))) {
			reader.setInput(in, true, true);
			int width = reader.getWidth(0);
			int height = reader.getHeight(0);
			if (Math.max(width, height) > PictureReader.MOST_PIXELS) {
				throw PictureRefused.tooManyPixels();
			}
			int side = Math.min(width, height);
			int step = Math.max(1, side / ENOUGH);
			ImageReadParam middle = reader.getDefaultReadParam();
			middle.setSourceRegion(new Rectangle((width - side) / 2, (height - side) / 2, side, side));
			middle.setSourceSubsampling(step, step, 0, 0);
			return reader.read(0, middle);
		}
		finally {
			reader.dispose();
		}
	}

}
