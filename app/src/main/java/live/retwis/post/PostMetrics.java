package live.retwis.post;

import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.web.OutcomeCounter;

import org.springframework.stereotype.Component;

/**
 * The metric {@code retwis.posts}: valid post forms by result. Forms with errors are not
 * counted, because their authors are told of the error.
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

	/** Results of a form. */
	enum Result {

		/** The post has its entry in the log. */
		COMMITTED,
		/** The form was sent before, so it made no second post. */
		REPEATED,
		/** Refused, because too many entries wait for fan-out. */
		BACKLOG,
		/** Refused, because a data node is nearly full. */
		MEMORY,
		/**
		 * Refused, because too few replicas have confirmed the post. When the form is
		 * sent again, the post may already exist.
		 */
		UNCONFIRMED,
		/** Refused, because the data node does not answer. */
		AWAY

	}

}
