package live.retwis.picture;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;

import jakarta.annotation.PreDestroy;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.stereotype.Component;

/**
 * Makes pictures from files that users have sent. Decoding takes milliseconds, and tenths
 * of a second for a file that was made to take long. So it runs on a thread of its own,
 * one file at a time, which also bounds its memory: a decoder needs up to 100 MB. The
 * queue is bounded, and has one file of a user at most, so that nobody can fill it alone.
 */
@Component
public class UploadedPictureConverter {

	private static final int THREADS = 1;

	private static final int QUEUE = 16;

	private final Scheduler threads = Schedulers.newBoundedElastic(THREADS, QUEUE, "picture");

	/** Users whose file waits or is being decoded. */
	private final Set<String> users = ConcurrentHashMap.newKeySet();

	/**
	 * The picture in a file: its middle, in the size that is shown. Fails with
	 * {@link PictureRefusedException} when the file is not a JPEG, PNG or GIF, is damaged
	 * or has too many pixels, and with {@link PictureConverterBusyException} when too
	 * many files wait, or another file of this user. Cancelling takes the file out of the
	 * queue. One that is being decoded is decoded to its end.
	 */
	public Mono<Picture> read(String user, byte[] file) {
		return Mono.using(() -> admit(user),
				(admitted) -> Mono.fromCallable(() -> picture(file))
					.subscribeOn(this.threads)
					.onErrorMap(RejectedExecutionException.class, (full) -> new PictureConverterBusyException()),
				this.users::remove);
	}

	private String admit(String user) {
		if (!this.users.add(user)) {
			throw new PictureConverterBusyException();
		}
		return user;
	}

	private static Picture picture(byte[] file) {
		try {
			byte[] jpeg = JpegEncoder.encode(PictureDecoder.decode(file).scaledTo(Picture.SIDE));
			if (jpeg.length > Picture.MOST_BYTES) {
				throw PictureRefusedException.unreadable();
			}
			return Picture.of(jpeg);
		}
		catch (PictureRefusedException ex) {
			throw ex;
		}
		catch (IOException | RuntimeException ex) {
			throw PictureRefusedException.unreadable();
		}
	}

	@PreDestroy
	void close() {
		this.threads.dispose();
	}

	/** Too many files wait, or another file of the same user. */
	public static final class PictureConverterBusyException extends RuntimeException {

		PictureConverterBusyException() {
			super("too many pictures wait", null, false, false);
		}

	}

}
