package live.retwis.live;

import java.util.List;
import java.util.Map;

import live.retwis.account.User;
import live.retwis.account.UserRepository;
import live.retwis.log.LogEntry;
import live.retwis.post.PostRepository;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.stereotype.Component;

/** Encodes the event of an entry, once for all subscribers. */
@Component
class EntryEncoder {

	private static final Logger logger = LoggerFactory.getLogger(EntryEncoder.class);

	/** Data of the event that replaces a post which could not be read. */
	private static final String MISSED = "{\"missed\":1}";

	private final PostRepository posts;

	private final PostTopics topics;

	private final UserRepository users;

	private final PostReadRetry patience;

	private final DeliveryMetrics metrics;

	EntryEncoder(PostRepository posts, PostTopics topics, UserRepository users, PostReadRetry patience,
			DeliveryMetrics metrics) {
		this.posts = posts;
		this.topics = topics;
		this.users = users;
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
	 * keep the old one. Never fails.
	 */
	Mono<FeedEntry> encode(LogEntry entry) {
		return switch (entry.type()) {
			case POST -> Mono.defer(() -> this.posts.find(entry.post()))
				.flatMap((post) -> this.topics.of(post)
					.map((topics) -> event(entry, "post", post.html().strip(), topics)))
				.defaultIfEmpty(new FeedEntry(entry, null))
				.retryWhen(this.patience.forPostAt(entry.position()))
				.onErrorResume((error) -> Mono.fromSupplier(() -> missed(entry, error)));
			case DELETE -> Mono.just(event(entry, "delete", entry.post()));
			case CLOSED -> Mono.just(event(entry, "gone", entry.user()));
			case COUNTS -> this.posts.find(entry.post())
				.flatMap(this.topics::of)
				.onErrorReturn(List.of(PostTopics.ANY_TAG, PostTopics.ANY_CONVERSATION))
				.defaultIfEmpty(List.of())
				.map((topics) -> event(entry, "counts", entry.facts(), topics));
			case NOTIFY -> Mono.just(event(entry, "notify", entry.facts()));
			case PROFILE -> this.users.findById(entry.user())
				.map((user) -> event(entry, "profile", profile(user)))
				.defaultIfEmpty(new FeedEntry(entry, null))
				.onErrorResume((error) -> Mono.just(new FeedEntry(entry, null)));
			default -> Mono.just(new FeedEntry(entry, null));
		};
	}

	private static String profile(User user) {
		return JsonMapper.shared()
			.writeValueAsString(
					Map.of("user", user.id(), "username", user.username(), "name", user.name(), "bio", user.bio()));
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
		return new FeedEntry(entry, EventFrame.event(entry.position(), name, data), topics);
	}

}
