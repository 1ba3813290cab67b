package live.retwis.picture;

import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;

import jakarta.annotation.PreDestroy;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.stereotype.Component;

/**
 * Makes pictures from files that users have sent. Decoding takes milliseconds, and up to
 * seconds for a file that was made to take long. So it runs on a thread of its own, one
 * file at a time, which also bounds its memory. The queue is bounded.
 */
@Component
public class PictureReader {

	/** Most pixels in each direction. A decoder needs up to 100 MB for as many. */
	static final int MOST_PIXELS = 4096;

	private static final int THREADS = 1;

	private static final int QUEUE = 16;

	private final Scheduler threads = Schedulers.newBoundedElastic(THREADS, QUEUE, "picture");

	/**
	 * The picture in a file: its middle, in the size that is shown. Fails with
	 * {@link PictureRefused} when the file is not a JPEG, PNG or GIF, is damaged or has
	 * too many pixels, and with {@link Busy} when too many files wait.
	 */
	public Mono<Picture> read(byte[] file) {
		return Mono.fromCallable(() -> picture(file))
			.subscribeOn(this.threads)
			.onErrorMap(RejectedExecutionException.class, (full) -> new Busy());
	}

	private static Picture picture(byte[] file) {
		try {
			byte[] jpeg = JpegEncoder.encode(PictureDecoder.decode(file).scaledTo(Picture.SIDE));
			if (jpeg.length > Picture.MOST_BYTES) {
				throw PictureRefused.unreadable();
			}
			return Picture.of(jpeg);
		}
		catch (PictureRefused ex) {
			throw ex;
		}
		catch (IOException | RuntimeException ex) {
			throw PictureRefused.unreadable();
		}
	}

	@PreDestroy
	void close() {
		this.threads.dispose();
	}

	/** Too many files wait. */
	public static final class Busy extends RuntimeException {

		Busy() {
			super("too many pictures wait", null, false, false);
		}

	}

}
