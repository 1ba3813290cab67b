package live.retwis.archive;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import reactor.core.publisher.Mono;

/**
 * How long a page waits for the archive in all, however often it asks, and whether it has
 * asked. It is in the context of the page's work. Work that no page waits for has no such
 * limit.
 */
public final class PageTimeLimit {

	/** A page has 3 s in all. */
	private static final Duration LONGEST = Duration.ofMillis(2500);

	/** How long it still waits after that for a post which Redis may have. */
	private static final Duration LAST_WAIT = Duration.ofMillis(100);

	private static final long UNSET = Long.MIN_VALUE;

	/** By {@link System#nanoTime()}, from the first question on. */
	private final AtomicLong end = new AtomicLong(UNSET);

	private volatile boolean asked;

	PageTimeLimit() {
	}

	/** Notes that the page has asked the archive through work that others share. */
	public static Mono<Void> noteQuestion() {
		return Mono.deferContextual((context) -> {
			context.<PageTimeLimit>getOrEmpty(PageTimeLimit.class).ifPresent((limit) -> limit.asked = true);
			return Mono.empty();
		});
	}

	/** Whether the page has asked the archive. */
	public static Mono<Boolean> hasAsked() {
		return Mono.deferContextual((context) -> Mono
			.just(context.<PageTimeLimit>getOrEmpty(PageTimeLimit.class).map((limit) -> limit.asked).orElse(false)));
	}

	/**
	 * Work that fails with {@link ArchiveAwayException} when its page waits no longer.
	 */
	static <T> Mono<T> within(Mono<T> work) {
		return Mono.deferContextual((context) -> context.<PageTimeLimit>getOrEmpty(PageTimeLimit.class)
			.map((limit) -> limit.limited(work))
			.orElse(work));
	}

	/**
	 * The same for work that other pages wait for, too. It goes on for them. What it has
	 * found before is taken in any case.
	 */
	public static <T> Mono<T> withinShared(Mono<T> work) {
		return Mono.deferContextual((context) -> context.<PageTimeLimit>getOrEmpty(PageTimeLimit.class)
			.map((limit) -> Mono.firstWithSignal(work, Mono.defer(limit::end)))
			.orElse(work));
	}

	private <T> Mono<T> limited(Mono<T> work) {
		this.asked = true;
		long left = left();
		return (left <= 0) ? away() : work.timeout(Duration.ofNanos(left), away());
	}

	private <T> Mono<T> end() {
		return Mono.delay(Duration.ofNanos(Math.max(left(), LAST_WAIT.toNanos()))).then(away());
	}

	private long left() {
		long now = System.nanoTime();
		this.end.compareAndSet(UNSET, now + LONGEST.toNanos());
		return this.end.get() - now;
	}

	private static <T> Mono<T> away() {
		return Mono.error(() -> new ArchiveAwayException("The archive of old posts is too slow for this page"));
	}

}
