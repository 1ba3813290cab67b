package live.retwis.timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import live.retwis.fanout.FanOutLossListener;
import live.retwis.fanout.UnfinishedFanOut;
import live.retwis.follow.FollowRepository;
import live.retwis.log.LogEntry;
import live.retwis.log.LogListener;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
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
class PulledPosts implements LogListener, FanOutLossListener {

	/** Authors whose newest posts are kept. */
	private static final int AUTHORS = 10_000;

	/** Readers of whom it is known whose posts they pull; mostly nobody's. */
	private static final int READERS = 100_000;

	/** What the log told is whole only while it is heard. */
	private static final Duration KEPT = Duration.ofMinutes(10);

	private final FollowRepository follows;

	private final PulledAuthors authors;

	private final UnfinishedFanOut unfinished;

	private final SortedSets sortedSets;

	private final AsyncLoadingCache<String, Pulled> followed = Caffeine.newBuilder()
		.maximumSize(READERS)
		.expireAfterAccess(KEPT)
		.buildAsync((reader, executor) -> readFollowed(reader).toFuture());

	private final AsyncLoadingCache<String, RecentPosts> recent = Caffeine.newBuilder()
		.maximumSize(AUTHORS)
		.expireAfterAccess(KEPT)
		.buildAsync((author, executor) -> readRecent(author).toFuture());

	PulledPosts(FollowRepository follows, PulledAuthors authors, UnfinishedFanOut unfinished, SortedSets sortedSets) {
		this.follows = follows;
		this.authors = authors;
		this.unfinished = unfinished;
		this.sortedSets = sortedSets;
	}

	/** The lists that a reader pulls from. */
	Mono<List<String>> followedBy(String userId) {
		return Mono.fromFuture(() -> this.followed.get(userId), true).flatMap((pulled) -> {
			if (pulled.of() == this.authors.known()) {
				return Mono.just(pulled.authors());
			}
			this.followed.synchronous().invalidate(userId);
			return followedBy(userId);
		});
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
		CompletableFuture<RecentPosts> recent = this.recent.getIfPresent(author);
		RecentPosts posts = (recent != null && !recent.isCompletedExceptionally()) ? recent.getNow(null) : null;
		return (posts != null) ? posts.before(before, count) : null;
	}

	private Mono<List<Cursor>> read(String author, Optional<Cursor> before, int count) {
		return Mono.fromFuture(() -> this.recent.get(author), true)
			.flatMap((posts) -> Mono.justOrEmpty(posts.before(before, count))
				.switchIfEmpty(this.sortedSets.highest(Keys.pulledOf(author), before, count)));
	}

	/** How many there were is noted first: of one more, the answer may know nothing. */
	private Mono<Pulled> readFollowed(String userId) {
		return this.authors.all().flatMap((all) -> {
			int known = all.size();
			return ((known == 0) ? Mono.just(List.<String>of())
					: this.follows.allFollowed(userId)
						.map((followed) -> followed.stream().filter(all::contains).toList()))
				.map((pulled) -> new Pulled(pulled, known));
		});
	}

	/**
	 * What no worker has added yet is not in the list, but known to be unfinished. What
	 * is heard after that is told to who is here then.
	 */
	private Mono<RecentPosts> readRecent(String author) {
		List<Cursor> missing = this.unfinished.postsOf(author);
		return this.sortedSets.highest(Keys.pulledOf(author), Optional.empty(), RecentPosts.READ)
			.map(RecentPosts::new)
			.doOnNext((posts) -> missing.forEach(posts::add));
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
	}

	/** Waits for a load that has just begun, which may have missed the post. */
	private void pulled(LogEntry entry) {
		this.authors.learn(entry.user());
		this.recent.asMap().computeIfPresent(entry.user(), (author, known) -> known.thenApply((posts) -> {
			posts.add(new Cursor(entry.position().millis(), entry.post()));
			return posts;
		}));
	}

	@Override
	public void fanOutWasLost() {
		reset();
	}

	@Override
	public void reset() {
		this.authors.forget();
		this.followed.synchronous().invalidateAll();
		this.recent.synchronous().invalidateAll();
	}

	/** So that no page has to wait for it. */
	@Override
	public Mono<Void> prepare() {
		return this.authors.all().then();
	}

	/**
	 * Whose posts a reader pulls.
	 *
	 * @param authors of those that were known then
	 * @param of how many that were
	 */
	private record Pulled(List<String> authors, int of) {
	}

}
