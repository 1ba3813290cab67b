package live.retwis.live;

import java.time.Duration;

import live.retwis.post.PostRepository;
import live.retwis.redis.LogEntry;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.stereotype.Component;

/**
 * Makes the event of an entry, once for all subscribers.
 */
@Component
class EntryEncoder {

	private static final Duration FIRST_RETRY = Duration.ofMillis(50);

	private static final Duration LAST_RETRY = Duration.ofSeconds(1);

	private final PostRepository posts;

	EntryEncoder(PostRepository posts) {
		this.posts = posts;
	}

	/**
	 * Reads the post where there is one. While the data node is away it tries again: an
	 * entry left out would be a post that nobody sees. A post that is deleted already has
	 * no event.
	 */
	Mono<FeedEntry> encode(LogEntry entry) {
		return switch (entry.type()) {
			case POST -> Mono.defer(() -> this.posts.find(entry.post()))
				.retryWhen(Retry.backoff(Long.MAX_VALUE, FIRST_RETRY).maxBackoff(LAST_RETRY))
				.map((post) -> new FeedEntry(entry, EventFrame.event(entry.position(), "post", post.html().strip())))
				.defaultIfEmpty(new FeedEntry(entry, null));
			case DELETE -> Mono.just(new FeedEntry(entry, EventFrame.event(entry.position(), "delete", entry.post())));
			case CLOSED -> Mono.just(new FeedEntry(entry, EventFrame.event(entry.position(), "gone", entry.user())));
			case PROFILE, COUNTS ->
				Mono.just(new FeedEntry(entry, EventFrame.event(entry.position(), entry.type().text(), entry.facts())));
			default -> Mono.just(new FeedEntry(entry, null));
		};
	}

}
