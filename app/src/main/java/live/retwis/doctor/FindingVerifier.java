package live.retwis.doctor;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import live.retwis.fanout.FanOutQueue;
import live.retwis.locking.LockProperties;
import live.retwis.log.CommitLog;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Checks findings a second time, because a write may have been half done at the first
 * check. A finding counts only if it is still there one lease and a second later. In
 * lists that fan-out fills, it counts only if fan-out has also processed every entry that
 * was in the log at the first check.
 */
@Component
class FindingVerifier {

	private static final Duration SLACK = Duration.ofSeconds(1);

	private static final int CONCURRENCY = 64;

	private final KeyExaminer examiner;

	private final CommitLog log;

	private final FanOutQueue queue;

	private final Duration time;

	FindingVerifier(KeyExaminer examiner, CommitLog log, FanOutQueue queue, LockProperties locks) {
		this.examiner = examiner;
		this.log = log;
		this.queue = queue;
		this.time = locks.lease().plus(SLACK);
	}

	/** The findings that are still there, each once. */
	Flux<Finding> confirm(List<Finding> findings, ExaminationCounts counts) {
		return this.log.head()
			.retryWhen(KeyExaminer.whileAway())
			.flatMap((head) -> Mono.delay(this.time)
				.then(this.queue.isDoneUpTo(head).retryWhen(KeyExaminer.whileAway())))
			.flatMapMany((done) -> again(findings).filter((finding) -> {
				boolean isCertain = done || !finding.derived();
				if (!isCertain) {
					counts.leftOut();
				}
				return isCertain;
			}));
	}

	private Flux<Finding> again(List<Finding> findings) {
		Set<RuleViolation> seen = findings.stream()
			.map(Finding::violation)
			.collect(Collectors.toCollection(HashSet::new));
		Set<String> keys = seen.stream().map(RuleViolation::key).collect(Collectors.toSet());
		return Flux.fromIterable(keys)
			.flatMap(this.examiner::of, CONCURRENCY)
			.filter((finding) -> seen.remove(finding.violation()));
	}

}
