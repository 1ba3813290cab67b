package live.retwis.post;

import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.web.OutcomeCounter;

import org.springframework.stereotype.Component;

/**
 * {@code retwis.posts} by result: what became of post forms that were right. What a form
 * says wrong, its author is told, and it is not counted.
 */
@Component
class PostMetrics {

	private final OutcomeCounter<Result> posts;

	PostMetrics(MeterRegistry meters) {
		this.posts = new OutcomeCounter<>(meters, "retwis.posts", Result.class);
	}

	void count(Result result) {
		this.posts.count(result);
	}

	/** What became of a form. */
	enum Result {

		/** The log has its entry. */
		COMMITTED,
		/** It was sent before, and made no second post. */
		REPEATED,
		/** Refused: too much waits for fan-out. */
		BACKLOG,
		/** Refused: too few replicas have confirmed it; sent again it may be there. */
		UNCONFIRMED,
		/** Refused: the data node does not answer. */
		AWAY

	}

}
