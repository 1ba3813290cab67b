package live.retwis.live;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import live.retwis.log.LogEntry;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.RedisErrorClassifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Encodes the event of an entry, once for all subscribers. */
@Component
class EntryEncoder {

	/** How long a post waits until it is known which conversations it belongs to. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	private static final Logger logger = LoggerFactory.getLogger(EntryEncoder.class);

	private static final List<String> ANY_TOPIC = List.of(PostTopics.ANY_TAG, PostTopics.ANY_CONVERSATION);

	/** Data of the event that replaces a post which could not be read. */
	private static final String MISSED = "{\"missed\":1}";

	/** Data of the event that lets pages read again, because posts came back. */
	private static final String UNKNOWN_MISSED = "{\"missed\":null}";

	private final RenderedPosts posts;

	private final PostTopics topics;

	private final ProfileEventData profiles;

	private final PostReadRetry patience;

	private final DeliveryMetrics metrics;

	EntryEncoder(RenderedPosts posts, PostTopics topics, ProfileEventData profiles, PostReadRetry patience,
			DeliveryMetrics metrics) {
		this.posts = posts;
		this.topics = topics;
		this.profiles = profiles;
		this.patience = patience;
		this.metrics = metrics;
	}

	/**
	 * Encodes an entry. For a post it reads the post first. A post that is already
	 * deleted has no event. If a post cannot be read within the time that
	 * {@link PostReadRetry} allows, the streams that want it get a reset in its place, so
	 * that they notice the loss. So do streams of which only the post could tell whether
	 * they want it. The counters of a post are in the log, but which streams want them
	 * only the post tells. If it cannot be read, they go to all that may show it. The log
	 * has no texts of users, so a changed profile is read, too. If that fails, open pages
	 * keep the old one. It goes to all streams, because any page may name the user. A
	 * suspended user's posts leave open pages, and those of a muted or blocked one the
	 * open pages of whoever did that. When the suspended user is restored, all pages with
	 * posts are told to read again. Never fails.
	 */
	Mono<FeedEntry> encode(LogEntry entry) {
		return switch (entry.type()) {
			case POST -> Mono.defer(() -> this.posts.find(entry.post()))
				.flatMap((post) -> inTime(this.topics.of(post), PostTopics.of(entry))
					.map((topics) -> new FeedEntry(entry,
							ServerSentEventEncoder.event(entry.position(), "post", post.html().strip()), topics,
							(post.repost() != null) ? post.post().authorId() : null)))
				.defaultIfEmpty(new FeedEntry(entry, null))
				.retryWhen(this.patience.forPostAt(entry.position()))
				.onErrorResume((error) -> Mono.fromSupplier(() -> missed(entry, error)));
			case DELETE ->
				Mono.just(entry.isSilent() ? new FeedEntry(entry, null) : event(entry, "delete", entry.post()));
			case CLOSED, SUSPENDED -> Mono.just(event(entry, "gone", entry.user()));
			case MUTE, BLOCK -> Mono.just(event(entry, "gone", entry.other()));
			case RESTORED -> Mono.just(event(entry, "reset", UNKNOWN_MISSED));
			case COUNTS ->
				inTime(this.posts.find(entry.post()).flatMap(this.topics::of), ANY_TOPIC).onErrorReturn(ANY_TOPIC)
					.defaultIfEmpty(List.of())
					.map((topics) -> event(entry, "counts", entry.facts(),
							Stream.concat(topics.stream(), Stream.of(PostTopics.counts(entry.post()))).toList()));
			case NOTIFY -> Mono.just(event(entry, "notify", entry.facts()));
			case PROFILE -> this.profiles.of(entry.user())
				.map((profile) -> event(entry, "profile", profile))
				.defaultIfEmpty(new FeedEntry(entry, null))
				.onErrorResume((error) -> Mono.just(new FeedEntry(entry, null)));
			default -> Mono.just(new FeedEntry(entry, null));
		};
	}

	/**
	 * What a post is about, as soon as it is known. Only the archive may know it, and the
	 * archive may be slow or away. All later entries would wait.
	 * @param wide stands for it then, so that no stream lacks the post
	 */
	private static Mono<List<String>> inTime(Mono<List<String>> topics, List<String> wide) {
		return topics.timeout(PATIENCE, Mono.just(wide))
			.onErrorResume(RedisErrorClassifier::isAway, (away) -> Mono.just(wide));
	}

	private FeedEntry missed(LogEntry entry, Throwable error) {
		logger.warn("Post {} cannot be read now; streams that want it are reset: {}", entry.post(), error.toString());
		this.metrics.missed();
		return event(entry, "reset", MISSED, PostTopics.of(entry));
	}

	private static FeedEntry event(LogEntry entry, String name, String data) {
		return event(entry, name, data, List.of());
	}

	private static FeedEntry event(LogEntry entry, String name, String data, List<String> topics) {
		return new FeedEntry(entry, ServerSentEventEncoder.event(entry.position(), name, data), topics);
	}

}
