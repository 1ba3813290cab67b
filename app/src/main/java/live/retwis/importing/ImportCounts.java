package live.retwis.importing;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

import reactor.core.publisher.Flux;

/** Counts what an import has done, and makes the lines that report it. */
class ImportCounts {

	private final long progress;

	private final AtomicLongArray done = new AtomicLongArray(Kind.values().length);

	private final AtomicLongArray skipped = new AtomicLongArray(Kind.values().length);

	/**
	 * Creates counts of an import that begins.
	 * @param progress items of a kind between two lines of progress
	 */
	ImportCounts(long progress) {
		this.progress = progress;
	}

	/** Counts an item that is here now. */
	Flux<String> done(Kind kind) {
		return Flux.defer(() -> count(this.done, kind));
	}

	/** Counts an item that was skipped, and says which one and why. */
	Flux<String> skipped(Kind kind, String why) {
		return Flux.defer(() -> Flux.just("Skipped: " + why).concatWith(count(this.skipped, kind)));
	}

	private Flux<String> count(AtomicLongArray counts, Kind kind) {
		counts.incrementAndGet(kind.ordinal());
		long all = this.done.get(kind.ordinal()) + this.skipped.get(kind.ordinal());
		return (all % this.progress == 0) ? Flux.just(String.format(Locale.ROOT, "%s: %,d so far", kind.plural, all))
				: Flux.empty();
	}

	/** The last lines of the report. */
	Flux<String> summary() {
		return Flux.fromArray(Kind.values())
			.map((kind) -> String.format(Locale.ROOT, "%s: %,d are here now, %,d skipped", kind.plural,
					this.done.get(kind.ordinal()), this.skipped.get(kind.ordinal())));
	}

	/** What is imported. */
	enum Kind {

		USER("Users"), FOLLOW("Follows"), POST("Posts");

		private final String plural;

		Kind(String plural) {
			this.plural = plural;
		}

		/** The field of its {@link HighestImportedNumber} in Redis. */
		String field() {
			return this.plural.toLowerCase(Locale.ROOT);
		}

	}

}
