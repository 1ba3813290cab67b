package live.retwis.doctor;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.redis.RedisErrorClassifier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Checks everything that is stored, and repairs it when asked to. */
@Component
public class Doctor {

	/** Keys checked concurrently. Their commands share one connection. */
	private static final int CONCURRENCY = 64;

	/** Most findings kept in memory until they are checked a second time. */
	private static final int BATCH = 10_000;

	/**
	 * Most reported problems that are remembered. They are about 20 MB. If a walk begins
	 * anew, only others can be reported twice.
	 */
	private static final int REMEMBERED = 100_000;

	private static final String FIXED = "fixed";

	private static final String PERHAPS_FIXED = "perhaps fixed: Redis was away, and then this was not found again; "
			+ "run this command again";

	/** Keys between two lines of progress. */
	private static final long PROGRESS = 100_000;

	private final StoreReader store;

	private final KeyExaminer examiner;

	private final FindingVerifier findingVerifier;

	private final Repairs repairs;

	private final FanOutCatchUp fanOutCatchUp;

	Doctor(StoreReader store, KeyExaminer examiner, FindingVerifier findingVerifier, Repairs repairs,
			FanOutCatchUp fanOutCatchUp) {
		this.store = store;
		this.examiner = examiner;
		this.findingVerifier = findingVerifier;
		this.repairs = repairs;
		this.fanOutCatchUp = fanOutCatchUp;
	}

	/**
	 * Walks through the store, and begins anew if Redis goes away in the middle. Without
	 * findings this takes as long as reading everything. Each batch of 10,000 findings
	 * takes one lease and a second more.
	 * @param fix whether to repair what is safe to repair
	 * @param wait whether to wait for fan-out first, however long that takes
	 * @param progress receives lines of progress
	 * @return one line for each violation, and a summary.
	 * {@link ExaminationRefusedException}, before anything is done, when {@code fix} is
	 * set and no quorum of lock nodes answers. When cancelled, it ends after the current
	 * repair. If the walk breaks off again and again, it fails after the lines of what
	 * was found before. It also fails when Redis stays away after a repair broke off
	 */
	public Flux<Line> examine(boolean fix, boolean wait, Consumer<String> progress) {
		return Flux.defer(() -> {
			ExaminationCounts counts = new ExaminationCounts();
			long unansweredBefore = this.store.unansweredByArchive();
			Set<RuleViolation> reported = new HashSet<>();
			AtomicReference<@Nullable Throwable> brokenOff = new AtomicReference<>();
			Mono<Void> before = (fix ? checkLocks() : Mono.<Void>empty())
				.then(wait ? this.fanOutCatchUp.await(progress) : Mono.empty());
			return before.thenMany(findings(counts, progress).onErrorResume((error) -> {
				brokenOff.set(error);
				return Flux.empty();
			})
				.buffer(BATCH)
				.concatMap((some) -> this.findingVerifier.confirm(some, counts), 1)
				.filter((finding) -> (reported.size() < REMEMBERED) ? reported.add(finding.violation())
						: !reported.contains(finding.violation()))
				.concatMap((finding) -> report(finding, fix, counts), 1)).concatWith(Mono.defer(() -> {
					Throwable error = brokenOff.get();
					counts.unanswered(this.store.unansweredByArchive() - unansweredBefore);
					return (error != null) ? Mono.error(error)
							: Mono.just(new Line(counts.summary(), true, counts.isComplete()));
				}));
		});
	}

	private Mono<Void> checkLocks() {
		return this.repairs.guarded("doctor", Mono::just).onErrorMap(ExaminationRefusedException::new).then();
	}

	private Flux<Finding> findings(ExaminationCounts counts, Consumer<String> progress) {
		return keys(counts).concatMap((keys) -> {
			if (counts.add(keys, PROGRESS)) {
				progress.accept("Checked " + counts.checked() + " so far");
			}
			return Flux.fromIterable(keys).flatMap(this.examiner::of, CONCURRENCY);
		}, 1);
	}

	/** A walk through all keys that breaks off in the middle begins anew. */
	private Flux<List<String>> keys(ExaminationCounts counts) {
		AtomicBoolean begun = new AtomicBoolean();
		return Flux.defer(() -> {
			counts.beginWalk();
			return this.store.keys();
		})
			.doOnNext((some) -> begun.set(true))
			.retryWhen(KeyExaminer.whileAway().modifyErrorFilter((away) -> away.and((error) -> begun.get())));
	}

	private Mono<Line> report(Finding finding, boolean fix, ExaminationCounts counts) {
		Supplier<Mono<Void>> repair = finding.repair();
		if (!fix || repair == null) {
			return Mono.justOrEmpty(line(finding, finding.remedy(), false, counts));
		}
		return outcome(repair, Doctor::isRedisAway)
			.onErrorResume((away) -> isStillThere(finding)
				.flatMap((still) -> still ? outcome(repair, (error) -> false) : Mono.just(PERHAPS_FIXED)))
			.flatMap((outcome) -> Mono.justOrEmpty(line(finding, outcome, outcome.equals(FIXED), counts)));
	}

	/** If the archive is away, that is told. */
	private static boolean isRedisAway(Throwable error) {
		return RedisErrorClassifier.isAway(error) && !(error instanceof ArchiveAwayException);
	}

	/** Fails only with an error that is not told. */
	private static Mono<String> outcome(Supplier<Mono<Void>> repair, Predicate<Throwable> isUntold) {
		return Mono.defer(repair)
			.thenReturn(FIXED)
			.onErrorResume(isUntold.negate(),
					(error) -> Mono.just("not fixed: " + RedisErrorClassifier.reasonText(error)));
	}

	/**
	 * If Redis goes away during a repair, nobody knows whether it was made. Waits until
	 * Redis is back, and fails if it stays away.
	 */
	private Mono<Boolean> isStillThere(Finding finding) {
		return this.examiner.of(finding.violation().key())
			.any((found) -> found.violation().equals(finding.violation()));
	}

	private static Optional<Line> line(Finding finding, String outcome, boolean repaired, ExaminationCounts counts) {
		counts.found(finding, repaired);
		return finding.leftover() ? Optional.empty()
				: Optional.of(new Line(finding.violation().line(outcome), repaired, !finding.unchecked()));
	}

	/**
	 * A line of the report.
	 *
	 * @param text one line
	 * @param sound whether the line reports no problem, or a repaired one
	 * @param complete whether it does not say that something could not be checked
	 */
	public record Line(String text, boolean sound, boolean complete) {
	}

	/** Repairs need locks, and the lock nodes have no quorum. */
	public static class ExaminationRefusedException extends RuntimeException {

		ExaminationRefusedException(Throwable cause) {
			super("--fix repairs nothing without a quorum of the lock nodes: " + cause.getMessage(), cause);
		}

	}

}
