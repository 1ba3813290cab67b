package live.retwis.doctor;

import java.util.Optional;
import java.util.function.Consumer;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Examines everything that is stored, and repairs it when asked to.
 */
@Component
public class Doctor {

	/** Keys looked at together; their commands share one connection. */
	private static final int CONCURRENCY = 64;

	/** Suspicions kept in memory until they are looked at again. */
	private static final int SUSPICIONS = 10_000;

	/** Keys between two lines of progress. */
	private static final long PROGRESS = 100_000;

	private final StoreReader store;

	private final KeyExamination examination;

	private final FindingVerifier findingVerifier;

	private final Repairs repairs;

	private final FanOutBarrier fanOutBarrier;

	Doctor(StoreReader store, KeyExamination examination, FindingVerifier findingVerifier, Repairs repairs,
			FanOutBarrier fanOutBarrier) {
		this.store = store;
		this.examination = examination;
		this.findingVerifier = findingVerifier;
		this.repairs = repairs;
		this.fanOutBarrier = fanOutBarrier;
	}

	/**
	 * Walks through the store once. Where nothing is suspicious it takes as long as
	 * reading everything; else one lease and a second more for each 10,000 suspicions.
	 * @param fix repairs what is safe to repair
	 * @param wait waits for fan-out first, however long that takes
	 * @param progress told how far it is
	 * @return a line for each violation and one that sums up; {@link Refused} when it is
	 * to repair and no quorum of lock nodes can be had, before anything is done.
	 * Cancelled it ends after the repair at hand
	 */
	public Flux<Line> examine(boolean fix, boolean wait, Consumer<String> progress) {
		return Flux.defer(() -> {
			ExaminationCounts tally = new ExaminationCounts();
			Mono<Void> before = (fix ? checkLocks() : Mono.<Void>empty())
				.then(wait ? this.fanOutBarrier.await(progress) : Mono.empty());
			return before
				.thenMany(walk(tally, progress).buffer(SUSPICIONS)
					.concatMap((some) -> this.findingVerifier.confirm(some, tally), 1)
					.concatMap((finding) -> tell(finding, fix, tally), 1))
				.concatWith(Mono.fromSupplier(() -> new Line(tally.summary(), true)));
		});
	}

	private Mono<Void> checkLocks() {
		return this.repairs.guarded("doctor", Mono::just).onErrorMap(Refused::new).then();
	}

	private Flux<Finding> walk(ExaminationCounts tally, Consumer<String> progress) {
		return this.store.keys().concatMap((keys) -> {
			if (tally.looked(keys.size(), PROGRESS)) {
				progress.accept("Looked at " + tally.looked() + " so far");
			}
			return Flux.fromIterable(keys).flatMap(this.examination::of, CONCURRENCY);
		}, 1);
	}

	private Mono<Line> tell(Finding finding, boolean fix, ExaminationCounts tally) {
		if (!fix || finding.repair() == null) {
			return Mono.justOrEmpty(line(finding, finding.remedy(), false, tally));
		}
		return finding.repair()
			.get()
			.thenReturn("fixed")
			.onErrorResume((error) -> Mono.just("not fixed: " + error.getMessage()))
			.flatMap((outcome) -> Mono.justOrEmpty(line(finding, outcome, outcome.equals("fixed"), tally)));
	}

	private static Optional<Line> line(Finding finding, String outcome, boolean repaired, ExaminationCounts tally) {
		tally.found(finding, repaired);
		return finding.rubbish() ? Optional.empty()
				: Optional.of(new Line(finding.violation().line(outcome), repaired));
	}

	/**
	 * What is told.
	 *
	 * @param text one line
	 * @param sound whether nothing is wrong there, or nothing any more
	 */
	public record Line(String text, boolean sound) {
	}

	/** There are no locks to repair under. */
	public static class Refused extends RuntimeException {

		Refused(Throwable cause) {
			super("--fix repairs nothing without a quorum of the lock nodes: " + cause.getMessage(), cause);
		}

	}

}
