package live.retwis.testing;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;

import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Files with pictures. */
public final class Pictures {

	private static final int CHANNELS = 4;

	private Pictures() {
	}

	/** A picture in one colour. */
	public static byte[] plain(String format, int width, int height, Color colour) {
		BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
		for (int y = 0; y < height; y++) {
			for (int x = 0; x < width; x++) {
				image.setRGB(x, y, colour.getRGB());
			}
		}
		return file(format, image);
	}

	/** A picture as a file. */
	public static byte[] file(String format, BufferedImage image) {
		try {
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			if (!ImageIO.write(image, format, bytes)) {
				throw new IllegalArgumentException("no " + format);
			}
			return bytes.toByteArray();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The picture in a file. */
	public static BufferedImage read(byte[] file) {
		try {
			return Objects.requireNonNull(ImageIO.read(new ByteArrayInputStream(file)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** A black JPEG that is stored in ten scans. */
	public static byte[] progressiveJpeg(int width, int height) {
		ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
			writer.setOutput(out);
			ImageWriteParam progressive = writer.getDefaultWriteParam();
			progressive.setProgressiveMode(ImageWriteParam.MODE_DEFAULT);
			writer.write(null, new IIOImage(new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB), null, null),
					progressive);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		finally {
			writer.dispose();
		}
		return bytes.toByteArray();
	}

	/** A PNG of this size, all transparent, in few bytes. */
	public static byte[] emptyPng(int width, int height) {
		return emptyPng(width, height, 8);
	}

	/**
	 * A PNG of this size, all transparent, in few bytes.
	 * @param bits of each colour, 8 or 16
	 */
	public static byte[] emptyPng(int width, int height, int bits) {
		try {
			ByteArrayOutputStream png = new ByteArrayOutputStream();
			png.write(new byte[] { (byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' });
			png.write(chunk("IHDR",
					ByteBuffer.allocate(13).putInt(width).putInt(height).put((byte) bits).put((byte) 6).array()));
			ByteArrayOutputStream data = new ByteArrayOutputStream();
			try (DeflaterOutputStream rows = new DeflaterOutputStream(data)) {
				byte[] row = new byte[1 + width * CHANNELS * bits / Byte.SIZE];
				for (int y = 0; y < height; y++) {
					rows.write(row);
				}
			}
			png.write(chunk("IDAT", data.toByteArray()));
			png.write(chunk("IEND", new byte[0]));
			return png.toByteArray();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static byte[] chunk(String type, byte[] content) throws IOException {
		byte[] name = type.getBytes(StandardCharsets.US_ASCII);
		CRC32 sum = new CRC32();
		sum.update(name);
		sum.update(content);
		ByteArrayOutputStream chunk = new ByteArrayOutputStream();
		DataOutputStream out = new DataOutputStream(chunk);
		out.writeInt(content.length);
		out.write(name);
		out.write(content);
		out.writeInt((int) sum.getValue());
		return chunk.toByteArray();
	}

}
