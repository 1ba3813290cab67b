package live.retwis.picture;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;

import live.retwis.testing.Pictures;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

@Timeout(60)
class UploadedPictureConverterTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private final UploadedPictureConverter reader = new UploadedPictureConverter();

	@AfterEach
	void close() {
		this.reader.close();
	}

	private BufferedImage read(byte[] file) {
		return Pictures.read(picture(file).jpeg());
	}

	private Picture picture(byte[] file) {
		return Objects.requireNonNull(this.reader.read("ann", file).block(SOON));
	}

	private void assertRefused(byte[] file, String because) {
		assertThatExceptionOfType(PictureRefusedException.class)
			.isThrownBy(() -> this.reader.read("ann", file).block(SOON))
			.satisfies((refused) -> assertThat(refused.text().toString()).contains(because));
	}

	private static void assertColour(BufferedImage picture, int x, int y, Color expected) {
		Color found = new Color(picture.getRGB(x, y));
		assertThat(found.getRed()).isCloseTo(expected.getRed(), within(12));
		assertThat(found.getGreen()).isCloseTo(expected.getGreen(), within(12));
		assertThat(found.getBlue()).isCloseTo(expected.getBlue(), within(12));
	}

	@ParameterizedTest
	@CsvSource({ "png,300,200", "jpeg,300,200", "gif,300,200", "png,1,1", "png,7,90", "jpeg,4096,3", "jpeg,2000,1500" })
	void everyFormatAndSizeBecomesASmallSquare(String format, int width, int height) {
		Picture picture = picture(Pictures.plain(format, width, height, Color.ORANGE));
		BufferedImage image = Pictures.read(picture.jpeg());
		assertThat(image.getWidth()).isEqualTo(Picture.SIDE);
		assertThat(image.getHeight()).isEqualTo(Picture.SIDE);
		assertColour(image, 0, 0, Color.ORANGE);
		assertColour(image, Picture.SIDE - 1, Picture.SIDE - 1, Color.ORANGE);
		assertThat(picture.hash()).matches("[A-Za-z0-9_-]{16}").isEqualTo(Picture.ofBase64(picture.base64()).hash());
	}

	@Test
	void theMiddleIsShown() {
		BufferedImage wide = new BufferedImage(300, 100, BufferedImage.TYPE_INT_RGB);
		for (int y = 0; y < 100; y++) {
			for (int x = 0; x < 300; x++) {
				wide.setRGB(x, y, ((x >= 100 && x < 200) ? Color.BLUE : Color.RED).getRGB());
			}
		}
		BufferedImage picture = read(Pictures.file("png", wide));
		assertColour(picture, 2, 64, Color.BLUE);
		assertColour(picture, 125, 64, Color.BLUE);
	}

	@Test
	void whatIsTransparentBecomesWhite() {
		assertColour(read(Pictures.emptyPng(50, 50)), 20, 20, Color.WHITE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "png", "jpeg" })
	void greyStaysAsItIs(String format) {
		BufferedImage grey = new BufferedImage(50, 50, BufferedImage.TYPE_BYTE_GRAY);
		for (int y = 0; y < 50; y++) {
			for (int x = 0; x < 50; x++) {
				grey.getRaster().setSample(x, y, 0, 100);
			}
		}
		assertColour(read(Pictures.file(format, grey)), 20, 20, new Color(100, 100, 100));
	}

	@Test
	void theSameFileBecomesTheSamePicture() {
		byte[] file = Pictures.plain("png", 40, 40, Color.PINK);
		assertThat(picture(file).hash()).isEqualTo(picture(file).hash());
		assertThat(picture(Pictures.plain("png", 40, 40, Color.BLACK)).hash()).isNotEqualTo(picture(file).hash());
	}

	@Test
	void noiseIsStillSmallEnough() {
		BufferedImage noise = new BufferedImage(Picture.SIDE, Picture.SIDE, BufferedImage.TYPE_INT_RGB);
		Random random = new Random(1);
		for (int y = 0; y < Picture.SIDE; y++) {
			for (int x = 0; x < Picture.SIDE; x++) {
				noise.setRGB(x, y, random.nextInt());
			}
		}
		assertThat(picture(Pictures.file("png", noise)).jpeg().length).isLessThan(Picture.MOST_BYTES);
	}

	/**
	 * A picture that is red at its top and its left, in a file that says how to turn it.
	 */
	@ParameterizedTest
	@CsvSource({ "1,true,true", "2,true,false", "3,false,false", "4,false,true", "5,true,true", "6,true,false",
			"7,false,false", "8,false,true" })
	void aPhotoIsTurnedAsTheCameraSays(int orientation, boolean top, boolean left) {
		BufferedImage corner = new BufferedImage(64, 64, BufferedImage.TYPE_INT_RGB);
		for (int y = 0; y < 64; y++) {
			for (int x = 0; x < 64; x++) {
				corner.setRGB(x, y, ((x < 32 && y < 32) ? Color.RED : Color.WHITE).getRGB());
			}
		}
		Picture picture = picture(withExif(Pictures.file("jpeg", corner), orientation));
		assertThat(new String(picture.jpeg(), StandardCharsets.ISO_8859_1)).doesNotContain("Exif");
		BufferedImage turned = Pictures.read(picture.jpeg());
		assertColour(turned, left ? 20 : 107, top ? 20 : 107, Color.RED);
		assertColour(turned, left ? 107 : 20, top ? 107 : 20, Color.WHITE);
	}

	private static byte[] withExif(byte[] jpeg, int orientation) {
		byte[] tiff = ByteBuffer.allocate(26)
			.put("MM\0*".getBytes(StandardCharsets.ISO_8859_1))
			.putInt(8)
			.putShort((short) 1)
			.putShort((short) 0x0112)
			.putShort((short) 3)
			.putInt(1)
			.putShort((short) orientation)
			.array();
		ByteArrayOutputStream file = new ByteArrayOutputStream();
		file.write(jpeg, 0, 2);
		file.writeBytes(new byte[] { (byte) 0xff, (byte) 0xe1, 0, (byte) (8 + tiff.length) });
		file.writeBytes("Exif\0\0".getBytes(StandardCharsets.ISO_8859_1));
		file.writeBytes(tiff);
		file.write(jpeg, 2, jpeg.length - 2);
		return file.toByteArray();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "x", "just a text", "<html><script>alert(1)</script></html>",
			"<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "GIF89a", "GIF8", "BM and more", "\u0089PNG\r\n\u001a\n" })
	void whatIsNoPictureIsRefused(String text) {
		assertRefused(text.getBytes(StandardCharsets.ISO_8859_1), "settings.picture-unreadable");
	}

	@ParameterizedTest
	@ValueSource(strings = { "png", "jpeg", "gif" })
	void aDamagedFileIsRefused(String format) {
		byte[] file = Pictures.plain(format, 300, 200, Color.CYAN);
		for (int length : new int[] { 3, 20, file.length / 2, file.length * 9 / 10 }) {
			assertRefused(Arrays.copyOf(file, length), "settings.picture-unreadable");
		}
	}

	@Test
	void tooManyPixelsAreRefusedBeforeTheyAreDecoded() {
		assertThat(picture(Pictures.emptyPng(4096, 4096)).jpeg()).isNotEmpty();
		assertThat(picture(Pictures.emptyPng(16_384, 3)).jpeg()).isNotEmpty();
		for (byte[] bomb : List.of(Pictures.emptyPng(4097, 4096), Pictures.emptyPng(16_385, 1),
				Pictures.emptyPng(1, 16_385), hugeHeader())) {
			assertThat(bomb.length).isLessThan(256 * 1024);
			assertRefused(bomb, "settings.picture-pixels");
		}
	}

	/** Decoding takes as long as these have scans, or bytes for each pixel. */
	@Test
	void filesThatTakeLongerMayHaveFewerPixels() {
		assertThat(picture(Pictures.progressiveJpeg(3000, 2200)).jpeg()).isNotEmpty();
		assertThat(picture(Pictures.emptyPng(2896, 2896, 16)).jpeg()).isNotEmpty();
		assertRefused(Pictures.progressiveJpeg(3000, 2300), "settings.picture-pixels");
		assertRefused(Pictures.emptyPng(2897, 2897, 16), "settings.picture-pixels");
	}

	/** A PNG that says to have 2^31 - 1 pixels in each direction. */
	private static byte[] hugeHeader() {
		byte[] file = Pictures.emptyPng(1, 1);
		ByteBuffer.wrap(file).putInt(16, Integer.MAX_VALUE).putInt(20, Integer.MAX_VALUE);
		return file;
	}

	/** Each scan makes the decoder go over all pixels. */
	@Test
	void aPhotoWithThousandsOfScansIsRefused() {
		byte[] file = Pictures.plain("jpeg", 300, 200, Color.CYAN);
		ByteArrayOutputStream bomb = new ByteArrayOutputStream();
		bomb.write(file, 0, file.length - 2);
		for (int i = 0; i < 1000; i++) {
			bomb.writeBytes(new byte[] { (byte) 0xff, (byte) 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 3 });
		}
		bomb.write(file, file.length - 2, 2);
		assertRefused(bomb.toByteArray(), "settings.picture-unreadable");
	}

	@Test
	void whenTooManyFilesWaitTheNextOnesAreToldSo() {
		byte[] slow = Pictures.emptyPng(2048, 2048);
		Flux<String> outcomes = Flux.range(0, 40)
			.flatMap((i) -> this.reader.read("user" + i, slow)
				.map((picture) -> "read")
				.onErrorResume(UploadedPictureConverter.PictureConverterBusyException.class,
						(full) -> Mono.just("busy")),
					40);
		StepVerifier.create(outcomes.collectList()).assertNext((all) -> {
			assertThat(all).contains("read", "busy");
			assertThat(all.stream().filter("read"::equals)).hasSizeBetween(16, 25);
		}).expectComplete().verify(SOON);
	}

	@Test
	void aUserHasOneFileAtATime() {
		byte[] slow = Pictures.emptyPng(2048, 2048);
		Flux<String> outcomes = Flux.just("ann", "ann", "bob", "ann")
			.flatMap((user) -> this.reader.read(user, slow)
				.map((picture) -> user)
				.onErrorResume(UploadedPictureConverter.PictureConverterBusyException.class,
						(second) -> Mono.just("busy")),
					4);
		StepVerifier.create(outcomes).expectNext("busy", "busy", "ann", "bob").expectComplete().verify(SOON);
		assertThat(picture(slow).jpeg()).as("ann's next file").isNotEmpty();
	}

	@Test
	void aCancelledFileLetsTheUserSendAnother() {
		byte[] file = Pictures.emptyPng(2048, 2048);
		this.reader.read("bob", file).subscribe();
		this.reader.read("ann", file).subscribe().dispose();
		assertThat(picture(file).jpeg()).isNotEmpty();
	}

}
