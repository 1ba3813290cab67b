package live.retwis.picture;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Writes JPEG files with the JDK, without any metadata. */
final class JpegEncoder {

	private static final float QUALITY = 0.85f;

	private JpegEncoder() {
	}

	static byte[] encode(BufferedImage image) throws IOException {
		ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (ImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
			writer.setOutput(out);
			ImageWriteParam quality = writer.getDefaultWriteParam();
			quality.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
			quality.setCompressionQuality(QUALITY);
			writer.write(null, new IIOImage(image, null, null), quality);
		}
		finally {
			writer.dispose();
		}
		return bytes.toByteArray();
	}

}
