package live.retwis.picture;

import java.util.Arrays;
import java.util.HexFormat;

import javax.imageio.ImageIO;
import javax.imageio.ImageReader;

/**
 * The formats that are read. The content alone decides, not what the browser says about
 * it.
 */
enum PictureFormat {

	/** Photos. */
	JPEG("ffd8ff"),

	/** Drawings. */
	PNG("89504e470d0a1a0a"),

	/** Of an animation, the first picture is read. */
	GIF("47494638");

	private final byte[] beginning;

	PictureFormat(String beginning) {
		this.beginning = HexFormat.of().parseHex(beginning);
	}

	/** The format of a file; fails with {@link PictureRefusedException} for any other. */
	static PictureFormat of(byte[] file) {
		return Arrays.stream(values())
			.filter((format) -> Arrays.mismatch(format.beginning, file) == format.beginning.length)
			.findFirst()
			.orElseThrow(PictureRefusedException::unreadable);
	}

	/** A decoder of the JDK. */
	ImageReader reader() {
		return ImageIO.getImageReadersByFormatName(name()).next();
	}

}
