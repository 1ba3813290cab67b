package live.retwis.archive;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * How long a page waits for the archive in all, however often it asks. It is in the
 * context of the page's work. Work that no page waits for has no such limit.
 */
public final class PageTimeLimit {

	/** A page has 3 s in all. */
	private static final Duration LONGEST = Duration.ofMillis(2500);

	private static final long UNSET = Long.MIN_VALUE;

	/** By {@link System#nanoTime()}, from the first question on. */
	private final AtomicLong end = new AtomicLong(UNSET);

	PageTimeLimit() {
	}

	/**
	 * The limit of a page, for the context of work that the page waits for by a future.
	 * When several pages wait for the same work, it has the limit of the first one.
	 * @param page the context of the page's work
	 */
	public static Context of(ContextView page) {
		return page.hasKey(PageTimeLimit.class) ? Context.of(PageTimeLimit.class, page.get(PageTimeLimit.class))
				: Context.empty();
	}

	/**
	 * Work that fails with {@link ArchiveAwayException} when its page waits no longer.
	 */
	static <T> Mono<T> within(Mono<T> work) {
		return Mono.deferContextual((context) -> context.<PageTimeLimit>getOrEmpty(PageTimeLimit.class)
			.map((limit) -> limit.limited(work))
			.orElse(work));
	}

	private <T> Mono<T> limited(Mono<T> work) {
		long now = System.nanoTime();
		this.end.compareAndSet(UNSET, now + LONGEST.toNanos());
		long left = this.end.get() - now;
		Mono<T> away = Mono.error(() -> new ArchiveAwayException("The archive of old posts is too slow for this page"));
		return (left <= 0) ? away : work.timeout(Duration.ofNanos(left), away);
	}

}
