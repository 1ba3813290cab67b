package live.retwis.moderation;

import live.retwis.removal.RemovalStep;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Takes the user out of all reports that the user made. The reports stay, because
 * somebody else's post is to be looked at.
 */
@Component
@Order(RemovalStep.ONCE)
class AbuseReportsRemovalStep implements RemovalStep {

	private static final int CONCURRENCY = 16;

	private final AbuseReportRepository reports;

	AbuseReportsRemovalStep(AbuseReportRepository reports) {
		this.reports = reports;
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return this.reports.posts()
			.flatMap((postId) -> this.reports.anonymize(postId, userId), CONCURRENCY)
			.then(Mono.just(true));
	}

}
