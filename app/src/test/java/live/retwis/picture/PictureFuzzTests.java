package live.retwis.picture;

import java.awt.Color;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import live.retwis.testing.Pictures;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

import static org.assertj.core.api.Assertions.assertThat;

/** A file with some bytes changed becomes a small picture, or is refused. */
class PictureFuzzTests {

	/** A decoder of the JDK takes 0.3 s at most. The rest is for a busy machine. */
	private static final Duration LIMIT = Duration.ofSeconds(10);

	@SuppressWarnings("NullAway.Init")
	private static UploadedPictureConverter reader;

	private static final List<byte[]> FILES = Stream
		.concat(Stream.of("png", "jpeg", "gif").map((format) -> Pictures.plain(format, 40, 30, Color.ORANGE)),
				Stream.of(Pictures.progressiveJpeg(40, 40), Pictures.emptyPng(40, 40, 16)))
		.toList();

	@Provide
	Arbitrary<byte[]> files() {
		Arbitrary<Change> change = Combinators
			.combine(Arbitraries.doubles().between(0, 1), Arbitraries.of(Kind.class),
					Arbitraries
						.oneOf(Arbitraries.bytes().array(byte[].class).ofMinSize(1).ofMaxSize(4),
								Arbitraries.of(new byte[] { -1, -1, -1, -1 }, new byte[] { 127, -1, -1, -16 },
										new byte[4])))
			.as(Change::new);
		// Sizes and lengths are near the beginning.
		return Combinators.combine(Arbitraries.of(FILES), change.list().ofMaxSize(6), Arbitraries.of(0.02, 0.1, 1.0))
			.as((file, changes, part) -> {
				byte[] changed = file.clone();
				for (Change one : changes) {
					changed = one.of(changed, part);
				}
				return changed;
			});
	}

	@Property
	void aDamagedFileIsAPictureOrRefused(@ForAll("files") byte[] file) {
		try {
			Picture picture = Objects.requireNonNull(reader.read("ann", file).block(LIMIT));
			assertThat(picture.jpeg()).hasSizeLessThanOrEqualTo(Picture.MOST_BYTES);
			assertThat(Pictures.read(picture.jpeg()).getWidth()).isEqualTo(Picture.SIDE);
		}
		catch (PictureRefusedException refused) {
			assertThat(refused.text().toString()).isNotEmpty();
		}
	}

	@BeforeContainer
	static void open() {
		reader = new UploadedPictureConverter();
	}

	@AfterContainer
	static void close() {
		reader.close();
	}

	private enum Kind {

		REPLACE, INSERT, CUT

	}

	/** A change at a place in the file, from 0 to 1. */
	private record Change(double place, Kind kind, byte[] bytes) {

		byte[] of(byte[] file, double part) {
			int at = (int) (this.place * part * Math.max(0, file.length - this.bytes.length));
			byte[] head = Arrays.copyOf(file, at);
			byte[] tail = Arrays.copyOfRange(file,
					(this.kind == Kind.REPLACE) ? Math.min(file.length, at + this.bytes.length) : at, file.length);
			byte[] middle = (this.kind == Kind.CUT) ? new byte[0] : this.bytes;
			byte[] rest = (this.kind == Kind.CUT) ? Arrays.copyOf(tail, tail.length / 2) : tail;
			return ByteBuffer.allocate(head.length + middle.length + rest.length)
				.put(head)
				.put(middle)
				.put(rest)
				.array();
		}

	}

}
