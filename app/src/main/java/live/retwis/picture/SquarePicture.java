package live.retwis.picture;

import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;

/**
 * A square picture of any size.
 *
 * @param image its pixels as they were stored
 * @param orientation how it has to be turned, as in EXIF
 */
record SquarePicture(BufferedImage image, int orientation) {

	private static final int WHITE = 255;

	/**
	 * The same picture in another size, upright. Each pixel is the average of those that
	 * it stands for. What is transparent becomes white.
	 */
	BufferedImage scaledTo(int side) {
		BufferedImage scaled = new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB);
		int last = side - 1;
		for (int y = 0; y < side; y++) {
			for (int x = 0; x < side; x++) {
				scaled.setRGB(x, y, switch (this.orientation) {
					case 2 -> average(last - x, y, side);
					case 3 -> average(last - x, last - y, side);
					case 4 -> average(x, last - y, side);
					case 5 -> average(y, x, side);
					case 6 -> average(y, last - x, side);
					case 7 -> average(last - y, last - x, side);
					case 8 -> average(last - y, x, side);
					default -> average(x, y, side);
				});
			}
		}
		return scaled;
	}

	/** The average colour of one of {@code side} × {@code side} fields. */
	private int average(int column, int row, int side) {
		int top = row * this.image.getHeight() / side;
		int bottom = Math.max(top + 1, (row + 1) * this.image.getHeight() / side);
		int left = column * this.image.getWidth() / side;
		int right = Math.max(left + 1, (column + 1) * this.image.getWidth() / side);
		int red = 0;
		int green = 0;
		int blue = 0;
		for (int y = top; y < bottom; y++) {
			for (int x = left; x < right; x++) {
				int argb = argb(x, y);
				int alpha = argb >>> 24;
				red += onWhite(argb >> 16 & 0xff, alpha);
				green += onWhite(argb >> 8 & 0xff, alpha);
				blue += onWhite(argb & 0xff, alpha);
			}
		}
		int pixels = (bottom - top) * (right - left);
		return (red / pixels) << 16 | (green / pixels) << 8 | blue / pixels;
	}

	private static int onWhite(int value, int alpha) {
		return (value * alpha + WHITE * (255 - alpha)) / 255;
	}

	/**
	 * The JDK takes grey values as linear and would make them brighter, so they are read
	 * as they are.
	 */
	private int argb(int x, int y) {
		ColorModel colours = this.image.getColorModel();
		if (colours instanceof IndexColorModel || colours.getNumColorComponents() > 1) {
			return this.image.getRGB(x, y);
		}
		int grey = sample(x, y, 0);
		return (colours.hasAlpha() ? sample(x, y, 1) : 255) << 24 | grey << 16 | grey << 8 | grey;
	}

	/** A value of a pixel, 0 to 255. */
	private int sample(int x, int y, int band) {
		Raster raster = this.image.getRaster();
		int most = (1 << raster.getSampleModel().getSampleSize(band)) - 1;
		return raster.getSample(x, y, band) * 255 / most;
	}

}
