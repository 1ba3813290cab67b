package live.retwis.timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import live.retwis.fanout.FanOutLossListener;
import live.retwis.fanout.PendingFanOutIndex;
import live.retwis.follow.FollowRepository;
import live.retwis.log.CommitLogListener;
import live.retwis.log.LogEntry;
import live.retwis.redis.CommandRecorderContext;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.redis.SortedSetReader;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * The posts that a reader pulls from the authors with many followers. The newest posts of
 * each author are cached for all readers, and the log adds further ones. So a page needs
 * no command for them.
 */
@Component
class PulledPostCache implements CommitLogListener, FanOutLossListener {

	/** Most authors whose newest posts are cached. */
	private static final int AUTHORS = 10_000;

	/**
	 * Most readers for whom it is cached from which authors they pull. Most readers pull
	 * from none.
	 */
	private static final int READERS = 100_000;

	/** How long an entry is cached after its last use. */
	private static final Duration CACHED_FOR = Duration.ofMinutes(10);

	private final FollowRepository follows;

	private final PulledAuthorsRepository authors;

	private final PendingFanOutIndex unfinished;

	private final SortedSetReader sortedSets;

	private final AsyncLoadingCache<String, Pulled> followed = Caffeine.newBuilder()
		.maximumSize(READERS)
		.expireAfterAccess(CACHED_FOR)
		.buildAsync((reader, executor) -> CommandRecorderContext.toFuture(readFollowed(reader)));

	private final AsyncLoadingCache<String, PulledAuthorRecentPosts> recent = Caffeine.newBuilder()
		.maximumSize(AUTHORS)
		.expireAfterAccess(CACHED_FOR)
		.buildAsync((author, executor) -> CommandRecorderContext.toFuture(readRecent(author)));

	PulledPostCache(FollowRepository follows, PulledAuthorsRepository authors, PendingFanOutIndex unfinished,
			SortedSetReader sortedSets) {
		this.follows = follows;
		this.authors = authors;
		this.unfinished = unfinished;
		this.sortedSets = sortedSets;
	}

	/** Whether it is known, without a command, that a reader pulls from nobody. */
	boolean isKnownNobody(String userId) {
		CompletableFuture<Pulled> followed = this.followed.getIfPresent(userId);
		Pulled pulled = (followed != null && !followed.isCompletedExceptionally()) ? followed.getNow(null) : null;
		return pulled != null && pulled.authors().isEmpty() && pulled.known() == this.authors.count();
	}

	/** The authors from whom a reader pulls. */
	Mono<List<String>> followedBy(String userId) {
		return CommandRecorderContext.fromFuture(() -> this.followed.get(userId)).flatMap((pulled) -> {
			if (pulled.known() == this.authors.count()) {
				return Mono.just(pulled.authors());
			}
			this.followed.synchronous().invalidate(userId);
			return followedBy(userId);
		});
	}

	/** For each author a list of the newest posts before a place, newest first. */
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
		CompletableFuture<PulledAuthorRecentPosts> recent = this.recent.getIfPresent(author);
		PulledAuthorRecentPosts posts = (recent != null && !recent.isCompletedExceptionally()) ? recent.getNow(null)
				: null;
		return (posts != null) ? posts.before(before, count) : null;
	}

	private Mono<List<Cursor>> read(String author, Optional<Cursor> before, int count) {
		return CommandRecorderContext.fromFuture(() -> this.recent.get(author))
			.flatMap((posts) -> Mono.justOrEmpty(posts.before(before, count))
				.switchIfEmpty(this.sortedSets.highest(Keys.pulledOf(author), before, count)));
	}

	/**
	 * Reads from whom a reader pulls. The authors are counted before the read. If another
	 * author is added during the read, the answer may lack that author. Then the count
	 * differs, and {@link #followedBy} reads again.
	 */
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
	 * Reads an author's newest posts. Posts that no worker has added yet are not in the
	 * list, so they are taken from {@link PendingFanOutIndex} before the read. Posts of
	 * which this instance hears later are added by {@link #accept}.
	 */
	private Mono<PulledAuthorRecentPosts> readRecent(String author) {
		List<Cursor> missing = this.unfinished.postsOf(author);
		return this.sortedSets.highest(Keys.pulledOf(author), Optional.empty(), PulledAuthorRecentPosts.READ)
			.map(PulledAuthorRecentPosts::new)
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

	/**
	 * Adds a post to its author's cached posts. A load that is in progress may have
	 * missed the post, so the post is added when the load ends.
	 */
	private void pulled(LogEntry entry) {
		this.authors.add(entry.user());
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
		this.authors.readAgain();
		this.followed.synchronous().invalidateAll();
		this.recent.synchronous().invalidateAll();
	}

	/** Reads the authors now, so that no page has to wait for that. */
	@Override
	public Mono<Void> prepare() {
		return this.authors.all().then();
	}

	/**
	 * The authors from whom a reader pulls.
	 *
	 * @param authors user ids
	 * @param known how many authors were known in all when this was read
	 */
	private record Pulled(List<String> authors, int known) {
	}

}
