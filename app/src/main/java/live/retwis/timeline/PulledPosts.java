package live.retwis.timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import live.retwis.follow.FollowRepository;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.redis.LogEntry;
import live.retwis.redis.LogListener;
import live.retwis.redis.Position;
import live.retwis.redis.SortedSets;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * The posts that a reader pulls from the authors with many followers. The newest of each
 * author are kept here for all readers, and the log tells of further ones, so that a page
 * asks Redis for none of them.
 */
@Component
class PulledPosts implements LogListener {

	/** Authors whose newest posts are kept. */
	private static final int AUTHORS = 10_000;

	/** Readers of whom it is known whose posts they pull; mostly nobody's. */
	private static final int READERS = 100_000;

	/** What the log told is whole only while it is heard. */
	private static final Duration KEPT = Duration.ofMinutes(10);

	private final FollowRepository follows;

	private final PulledAuthors authors;

	private final SortedSets sortedSets;

	private final AsyncLoadingCache<String, List<String>> followed = Caffeine.newBuilder()
		.maximumSize(READERS)
		.expireAfterAccess(KEPT)
		.buildAsync((reader, executor) -> readFollowed(reader).toFuture());

	private final AsyncLoadingCache<String, RecentPosts> recent = Caffeine.newBuilder()
		.maximumSize(AUTHORS)
		.expireAfterAccess(KEPT)
		.buildAsync((author, executor) -> readRecent(author).toFuture());

	private volatile @Nullable Position heard;

	PulledPosts(FollowRepository follows, PulledAuthors authors, SortedSets sortedSets) {
		this.follows = follows;
		this.authors = authors;
		this.sortedSets = sortedSets;
	}

	/**
	 * The position that pages may say they are complete up to, which is no later than
	 * what was heard of the log. To be asked for before {@link #latest}.
	 */
	Optional<Position> upTo(Optional<Position> complete) {
		Position last = this.heard;
		return complete.map((position) -> (last != null && last.compareTo(position) < 0) ? last : position);
	}

	/** The lists that a reader pulls from. */
	Mono<List<String>> followedBy(String userId) {
		return (this.heard != null) ? Mono.fromFuture(() -> this.followed.get(userId), true) : readFollowed(userId);
	}

	/** From each author the newest before a place, newest first. */
	Mono<List<List<Cursor>>> latest(List<String> authors, Optional<Cursor> before, int count) {
		List<List<Cursor>> known = new ArrayList<>(authors.size());
		List<Mono<List<Cursor>>> unknown = new ArrayList<>();
		for (String author : authors) {
			List<Cursor> places = known(author, before, count);
			if (places != null) {
				known.add(places);
			}
			else {
				unknown.add(read(author, before, count));
			}
		}
		return unknown.isEmpty() ? Mono.just(known) : Flux.merge(unknown).collectList().map((read) -> {
			known.addAll(read);
			return known;
		});
	}

	private @Nullable List<Cursor> known(String author, Optional<Cursor> before, int count) {
		CompletableFuture<RecentPosts> recent = (this.heard != null) ? this.recent.getIfPresent(author) : null;
		RecentPosts posts = (recent != null && !recent.isCompletedExceptionally()) ? recent.getNow(null) : null;
		return (posts != null) ? posts.before(before, count) : null;
	}

	private Mono<List<Cursor>> read(String author, Optional<Cursor> before, int count) {
		Mono<List<Cursor>> read = this.sortedSets.highest(Keys.pulledOf(author), before, count);
		return (this.heard == null) ? read : Mono.fromFuture(() -> this.recent.get(author), true)
			.flatMap((posts) -> Mono.justOrEmpty(posts.before(before, count)).switchIfEmpty(read));
	}

	private Mono<List<String>> readFollowed(String userId) {
		return this.authors.all()
			.flatMap((pulled) -> pulled.isEmpty() ? Mono.just(List.of())
					: this.follows.allFollowed(userId).flatMap(this.authors::among));
	}

	private Mono<RecentPosts> readRecent(String author) {
		return this.sortedSets.highest(Keys.pulledOf(author), Optional.empty(), RecentPosts.READ).map(RecentPosts::new);
	}

	@Override
	public void accept(LogEntry entry) {
		switch (entry.type()) {
			case POST -> {
				if (entry.pulled()) {
					pulled(entry);
				}
			}
			case FOLLOW, UNFOLLOW -> this.followed.synchronous().invalidate(entry.user());
			default -> {
			}
		}
		this.heard = entry.position();
	}

	private void pulled(LogEntry entry) {
		if (this.authors.learn(entry.user())) {
			this.followed.synchronous().invalidateAll();
		}
		CompletableFuture<RecentPosts> known = this.recent.getIfPresent(entry.user());
		if (known != null) {
			known.thenAccept((posts) -> posts.add(new Cursor(entry.position().millis(), entry.post())));
		}
	}

	@Override
	public void reset() {
		this.heard = null;
		this.authors.forget();
		this.followed.synchronous().invalidateAll();
		this.recent.synchronous().invalidateAll();
	}

}
