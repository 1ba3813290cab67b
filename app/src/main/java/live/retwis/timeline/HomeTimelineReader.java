package live.retwis.timeline;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.ArchiveMarkers;
import live.retwis.archive.OlderPostsAbsence;
import live.retwis.fanout.PendingFanOutIndex;
import live.retwis.fanout.PendingFanOutIndex.Unfinished;
import live.retwis.follow.FollowRepository;
import live.retwis.limit.RateLimit;
import live.retwis.limit.RateLimiter;
import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.Keys;
import live.retwis.redis.SortedSetReader;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.web.ProblemException;
import live.retwis.web.RateLimitAddress;
import live.retwis.web.RetryAfter;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.function.TupleUtils;

import org.springframework.stereotype.Component;

/**
 * Reads home timelines. It merges the posts that fan-out has pushed with the posts that
 * readers pull and with those that fan-out has not pushed yet. A timeline may have lost
 * its older posts. Beyond its end, it reads the lists of the authors, down to the first
 * post.
 */
@Component
class HomeTimelineReader {

	/**
	 * While more authors than this have posts in fan-out, a page first reads whom its
	 * reader follows, and looks at these authors only.
	 */
	private static final int MANY = 500;

	/**
	 * A mark that begins with this says that the timeline exists but is empty. Redis
	 * cannot store an empty sorted set.
	 */
	private static final String EMPTY = "0";

	/**
	 * What follows this in a mark is a time in ms. The timeline has all posts that were
	 * committed later.
	 */
	private static final String COMPLETE_AFTER = ">";

	private final DataNodeCommands data;

	private final SortedSetReader sortedSets;

	private final PulledPostCache pulled;

	private final AuthorPostListReader authorPosts;

	private final PendingFanOutIndex unfinishedFanOut;

	private final FollowRepository follows;

	private final HomeTimelineFromAuthorLists authorLists;

	private final TimelineRebuildQueue rebuildQueue;

	private final RateLimiter limiter;

	private final TimelineProperties properties;

	HomeTimelineReader(DataNodeCommands data, SortedSetReader sortedSets, PulledPostCache pulled,
			AuthorPostListReader authorPosts, PendingFanOutIndex unfinishedFanOut, FollowRepository follows,
			HomeTimelineFromAuthorLists authorLists, TimelineRebuildQueue rebuildQueue, RateLimiter limiter,
			TimelineProperties properties) {
		this.data = data;
		this.sortedSets = sortedSets;
		this.pulled = pulled;
		this.authorPosts = authorPosts;
		this.unfinishedFanOut = unfinishedFanOut;
		this.follows = follows;
		this.authorLists = authorLists;
		this.rebuildQueue = rebuildQueue;
		this.limiter = limiter;
		this.properties = properties;
	}

	/**
	 * The newest posts before a place, including those that fan-out has not pushed yet.
	 * @return newest first; fewer when there are no more or when the timeline ends
	 * before. Their places are there only when something had to be merged
	 */
	Mono<Read> read(String userId, Optional<Cursor> before, int count) {
		String key = Keys.homeTimeline(userId);
		if (before.isEmpty() && this.unfinishedFanOut.hasNothing(userId) && this.pulled.isKnownNobody(userId)) {
			return this.sortedSets.highest(key, count).map((ids) -> Read.of(ids, count));
		}
		return Mono.zip(this.pulled.followedBy(userId), unfinished(userId), (authors, unfinished) -> {
			if (authors.isEmpty() && before.isEmpty() && unfinished.isNothing()) {
				return this.sortedSets.highest(key, count).map((ids) -> Read.of(ids, count));
			}
			Mono<List<Cursor>> places = this.sortedSets.highest(key, before, count);
			Mono<List<List<Cursor>>> pulled = this.pulled.latest(authors, before, count);
			return Mono.zip(places, pulled, beside(userId, unfinished, before, count))
				.map(TupleUtils.function((timeline, lists, beside) -> {
					List<List<Cursor>> posts = lists.stream().map(ArchiveMarkers::posts).toList();
					Read read = Read.of(timeline, posts, beside, before, count);
					return read.with(
							isArchiveNeeded(read.places(), lists, count) ? new Unread(authors, timeline, posts) : null);
				}));
		}).flatMap(Function.identity());
	}

	/**
	 * Whether archived posts that readers pull may be on the page.
	 * @param newest what Redis has for the page, newest first
	 */
	private static boolean isArchiveNeeded(List<Cursor> newest, List<List<Cursor>> pulled, int count) {
		OptionalLong archived = pulled.stream()
			.map(ArchiveMarkers::in)
			.filter(OptionalLong::isPresent)
			.mapToLong(OptionalLong::getAsLong)
			.max();
		return archived.isPresent() && (newest.size() < count || newest.get(count - 1).score() <= archived.getAsLong());
	}

	/**
	 * Adds archived posts that readers pull, if the page may reach down to them. While
	 * the archive is away, the first page does without.
	 * @param hidden whose posts the reader does not see
	 */
	Mono<Read> withArchived(Read read, Optional<Cursor> before, int count, HiddenAuthors hidden) {
		Unread unread = read.unread();
		return (unread == null) ? Mono.just(read)
				: this.authorPosts
					.archived(unread.authors().stream().filter((author) -> !hidden.contains(author)).toList(), before,
							count, true)
					.map((archived) -> Read.of(unread.timeline(),
							HomeTimelineFromAuthorLists.join(unread.pulled(), archived), read.beside(), before, count))
					.onErrorResume((error) -> error instanceof ArchiveAwayException && before.isEmpty(),
							(away) -> OlderPostsAbsence.without(read));
	}

	/** What fan-out has not done yet, as far as it concerns the reader. */
	private Mono<Unfinished> unfinished(String userId) {
		return (this.unfinishedFanOut.authors() <= MANY) ? Mono.fromSupplier(() -> this.unfinishedFanOut.of(userId))
				: this.follows.allFollowed(userId).map((followed) -> this.unfinishedFanOut.of(userId, followed));
	}

	/**
	 * What has to be added to the reader's timeline, and whose posts have to be left out.
	 * ZMSCORE tells whom the reader follows now. The posts of authors who have just been
	 * followed are read from their own lists.
	 */
	private Mono<Beside> beside(String userId, Unfinished unfinished, Optional<Cursor> before, int count) {
		Set<String> authors = new HashSet<>(unfinished.posts().keySet());
		authors.addAll(unfinished.changed());
		return unfinished.isNothing() ? Mono.just(Beside.NOTHING)
				: this.follows.followedAmong(userId, authors).flatMap((followed) -> {
					Set<String> left = new HashSet<>(unfinished.changed());
					left.removeAll(followed);
					List<List<Cursor>> posts = Stream.concat(followed.stream(), Stream.of(userId))
						.map((author) -> unfinished.posts().getOrDefault(author, List.of()))
						.toList();
					return Flux.fromIterable(unfinished.changed())
						.filter(followed::contains)
						.flatMap((author) -> this.authorPosts.inRedis(author, before, count).map(ArchiveMarkers::posts))
						.collectList()
						.map((found) -> new Beside(HomeTimelineFromAuthorLists.join(posts, found), left));
				});
	}

	/** Whether there is an archive. */
	boolean isArchiveUsed() {
		return this.authorPosts.isArchiveUsed();
	}

	/**
	 * Reads a page from the authors' lists that the timeline did not fill, also their
	 * archived posts.
	 * @param hidden whose posts the reader does not see
	 * @return empty when the timeline has all posts of the page, so that it is short
	 * because there are no more. If the timeline was built meanwhile, a page of it
	 */
	Mono<Read> beyond(String userId, Optional<Cursor> before, int count, Read read, HiddenAuthors hidden) {
		return Mono
			.zip(this.data.zcard(Keys.homeTimeline(userId)),
					this.data.get(Keys.homeCompleteFrom(userId)).defaultIfEmpty(""),
					(size, mark) -> End.of(size, mark, this.properties.size()))
			.filter((end) -> !end.has(read, count) || end.isNewerThan(read, before.isEmpty()))
			.flatMap((end) -> end.has(read, count) ? read(userId, before, count).map(Read::asFilled)
					: beyond(userId, before, count, read, hidden, end));
	}

	private Mono<Read> beyond(String userId, Optional<Cursor> before, int count, Read read, HiddenAuthors hidden,
			End end) {
		Mono<List<Cursor>> latest = this.authorLists.latest(userId, before, count, hidden);
		return withinLimit(userId, before.isPresent(), latest).doOnNext((found) -> {
			if (end.absent()) {
				this.rebuildQueue.rebuild(userId);
			}
		}).map((all) -> Read.of(all, List.of(), read.beside(), before, count).asFilled());
	}

	/**
	 * Such a page may need thousands of lists, and somebody may ask for any place, so
	 * that nothing of it is known. So a reader gets only so many of them in a while, and
	 * an address so many older ones. The first page then has what the timeline has.
	 */
	private <T> Mono<T> withinLimit(String userId, boolean older, Mono<T> page) {
		return Mono
			.deferContextual((context) -> this.limiter.takeBoth(RateLimit.OLDER_PAGES, userId,
					RateLimitAddress.in(context).filter((address) -> older)))
			.flatMap((wait) -> {
				if (wait.isZero()) {
					return page;
				}
				return older ? ProblemException.tooMany(RetryAfter.text(wait), RetryAfter.seconds(wait)) : Mono.empty();
			});
	}

	/**
	 * What fan-out has not done to a timeline yet.
	 *
	 * @param posts lists of posts that are missing, each newest first
	 * @param left authors who were unfollowed, but whose posts are still there
	 */
	record Beside(List<List<Cursor>> posts, Set<String> left) {

		static final Beside NOTHING = new Beside(List.of(), Set.of());

	}

	/**
	 * What a page is merged from without the archived posts that readers pull.
	 *
	 * @param authors the authors whose posts are pulled
	 * @param timeline places in the timeline itself
	 * @param pulled for each of the authors the places of these posts in Redis
	 */
	private record Unread(List<String> authors, List<Cursor> timeline, List<List<Cursor>> pulled) {
	}

	/**
	 * Posts read for a page.
	 *
	 * @param ids newest first
	 * @param places their places, in the same order; empty when they were not read
	 * @param pushed how many places of the timeline itself were read
	 * @param filled whether the timeline itself reaches to the end of the page, or beyond
	 * @param beside what fan-out has not done yet
	 * @param unread what {@link #withArchived} adds to; null when nothing is missing
	 */
	record Read(List<String> ids, List<Cursor> places, int pushed, boolean filled, Beside beside,
			@Nullable Unread unread) {

		/** A page of the timeline alone. */
		static Read of(List<String> ids, int count) {
			return new Read(ids, List.of(), ids.size(), ids.size() == count, Beside.NOTHING, null);
		}

		/** A merged page. A timeline loses its oldest posts first. */
		static Read of(List<Cursor> pushed, List<List<Cursor>> pulled, Beside beside, Optional<Cursor> before,
				int count) {
			List<List<Cursor>> lists = new ArrayList<>(pulled);
			lists.add(pushed);
			beside.posts().forEach((posts) -> lists.add(CursorOrder.after(posts, before)));
			List<Cursor> merged = CursorOrder.newest(lists, count);
			boolean filled = merged.size() == count && !pushed.isEmpty()
					&& CursorOrder.NEWEST_FIRST.compare(merged.get(count - 1), pushed.get(pushed.size() - 1)) <= 0;
			return new Read(merged.stream().map(Cursor::member).toList(), merged, pushed.size(),
					filled || pushed.size() == count, beside, null);
		}

		/** The same page, when it is known that the timeline has no more. */
		Read asFilled() {
			return new Read(this.ids, this.places, this.pushed, true, this.beside, this.unread);
		}

		private Read with(@Nullable Unread more) {
			return new Read(this.ids, this.places, this.pushed, this.filled, this.beside, more);
		}

	}

	/**
	 * How a timeline ends.
	 *
	 * @param size how many posts it has
	 * @param absent whether there is no timeline, or it has lost all its posts
	 * @param cut whether it has lost its older posts
	 * @param after ms; even if it was cut, it has all posts that were committed later
	 */
	private record End(long size, boolean absent, boolean cut, long after) {

		/** Whether the timeline was built after the page was read. */
		boolean isNewerThan(Read read, boolean newestPage) {
			return this.size > read.pushed() && (newestPage || read.pushed() == 0);
		}

		/**
		 * Whether the timeline misses nothing, or only posts that are older than a full
		 * page.
		 */
		boolean has(Read page, int count) {
			return !this.absent && (!this.cut
					|| (page.places().size() == count && page.places().get(count - 1).score() > this.after));
		}

		/**
		 * A full timeline without a mark was written by an older release, and may be cut.
		 */
		static End of(long size, String mark, int most) {
			boolean full = size >= most;
			int after = full ? -1 : mark.indexOf(COMPLETE_AFTER);
			return new End(size, size == 0 && !mark.startsWith(EMPTY), full || (!mark.isEmpty() && !mark.equals(EMPTY)),
					(after < 0) ? Long.MAX_VALUE : Long.parseLong(mark.substring(after + 1)));
		}

	}

}
