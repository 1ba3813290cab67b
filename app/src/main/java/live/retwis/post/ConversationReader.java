package live.retwis.post;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.archive.PageTimeLimit;
import live.retwis.fanout.PendingFanOutIndex;
import live.retwis.log.InstanceLogPosition;
import live.retwis.log.LogPosition;
import live.retwis.redis.Cursor;
import live.retwis.redis.CursorOrder;
import live.retwis.redis.Keys;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.restriction.HiddenAuthors;
import reactor.core.publisher.Mono;
import reactor.function.TupleUtils;

import org.springframework.stereotype.Component;

/** Reads posts with their context. */
@Component
class ConversationReader {

	private static final int PAGE = 50;

	/** Most pages in a row that are passed over because the viewer sees none of them. */
	private static final int PASSED_OVER = 10;

	private final RenderedPosts posts;

	private final ReplyRepository replies;

	private final ReplyChainReader chain;

	private final PendingFanOutIndex unfinished;

	private final InstanceLogPosition heard;

	ConversationReader(RenderedPosts posts, ReplyRepository replies, ReplyChainReader chain,
			PendingFanOutIndex unfinished, InstanceLogPosition heard) {
		this.posts = posts;
		this.replies = replies;
		this.chain = chain;
		this.unfinished = unfinished;
		this.heard = heard;
	}

	/**
	 * A post, the posts above it, and one page of its replies. Two round trips: first the
	 * post and the ids of its replies, then the other posts. With an archive there is one
	 * more, which tells whether it has the ids.
	 * @param after the cursor after which the page begins; empty for the first page
	 * @param hidden whose posts the viewer does not see; that does not concern the post
	 * itself
	 * @return empty when the post does not exist, or is deleted
	 */
	Mono<Conversation> find(String id, Optional<Cursor> after, Mono<HiddenAuthors> hidden) {
		return this.heard.position()
			.flatMap((position) -> Mono.zip(replies(id, after), this.posts.find(id).singleOptional(), hidden)
				.flatMap(TupleUtils.function((replies, found, authors) -> Mono.justOrEmpty(found)
					.flatMap((post) -> around(post, replies, authors, after.isPresent(), position)))));
	}

	/**
	 * A conversation.
	 * @param later whether this is not the first page of replies. It ends before a reply
	 * that only the archive has, which is away
	 */
	private Mono<Conversation> around(RenderedPost post, Replies read, HiddenAuthors hidden, boolean later,
			LogPosition position) {
		Mono<Optional<List<ReplyChainReader.Link>>> above = Mono.justOrEmpty(post.post().replyTo())
			.flatMap((replied) -> this.chain.links(replied))
			.defaultIfEmpty(List.of())
			.map(Optional::of)
			.onErrorReturn(RedisErrorClassifier::isAway, Optional.empty());
		return Mono.zip(above, page(post.post().id(), read, hidden, later, PASSED_OVER), (parents, replies) -> {
			List<ReplyChainReader.Link> found = parents.orElse(List.of());
			List<ReplyChainReader.Link> shown = found.stream().takeWhile((link) -> !link.isHidden(hidden)).toList();
			return new Conversation(post, shown, shown.isEmpty() && !found.isEmpty(), parents.isEmpty(), replies,
					read.count(), position);
		});
	}

	/** The page of these replies, or the next one of which the viewer sees something. */
	private Mono<PostListPage> page(String id, Replies read, HiddenAuthors hidden, boolean later, int passedOver) {
		List<Cursor> places = read.places();
		List<String> replyIds = places.stream().map(Cursor::member).toList();
		Map<String, Cursor> byId = places.stream().collect(Collectors.toMap(Cursor::member, Function.identity()));
		return this.posts.find(replyIds, hidden, later)
			.map((slice) -> PostListPage.of(Keys.replies(id), slice, byId, PAGE))
			.flatMap((page) -> (page.posts().isEmpty() && page.older() != null && passedOver > 0)
					? next(id, page.older(), hidden, later, passedOver - 1) : Mono.just(page));
	}

	/** When the archive was asked, no other page follows after this one. */
	private Mono<PostListPage> next(String id, String end, HiddenAuthors hidden, boolean later, int passedOver) {
		return Mono
			.zip(replies(id, Cursor.parse(end, Keys.replies(id))), PageTimeLimit.hasAsked(),
					(read, archive) -> page(id, read, hidden, later, archive ? 0 : passedOver))
			.flatMap(Function.identity());
	}

	/** A repost has none: its address leads to the original. */
	private Mono<Replies> replies(String id, Optional<Cursor> after) {
		List<Cursor> missing = this.unfinished.repliesTo(id);
		return this.replies
			.page(id, after, RenderedPosts.placesFor(PAGE),
					this.posts.find(id)
						.map((post) -> post.repost() == null && post.counts().get(PostCountType.REPLIES) > 0))
			.map((page) -> Replies.of(page.places(), page.count(), missing, after));
	}

	/**
	 * Replies to a post.
	 *
	 * @param places their places in the list, for one page
	 * @param count number of all replies
	 */
	private record Replies(List<Cursor> places, long count) {

		/**
		 * The replies that were read, and those that no worker has added yet, which come
		 * last.
		 */
		static Replies of(List<Cursor> read, long count, List<Cursor> missing, Optional<Cursor> after) {
			int most = RenderedPosts.placesFor(PAGE);
			Set<Cursor> known = Set.copyOf(read);
			List<Cursor> later = missing.stream()
				.filter((place) -> !known.contains(place))
				.filter((place) -> after.isEmpty() || CursorOrder.NEWEST_FIRST.compare(place, after.get()) < 0)
				.sorted(CursorOrder.NEWEST_FIRST.reversed())
				.toList();
			return new Replies(Stream.concat(read.stream(), later.stream())
				.sorted(CursorOrder.NEWEST_FIRST.reversed())
				.limit(most)
				.toList(), Math.max(count, read.size() + later.size()));
		}

	}

}
