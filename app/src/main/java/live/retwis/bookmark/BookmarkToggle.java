package live.retwis.bookmark;

import java.util.List;

import live.retwis.account.AccountStateRepository;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.post.Post;
import live.retwis.post.PostListRepository;
import live.retwis.post.PostToggle;
import live.retwis.redis.DataClock;
import live.retwis.redis.DataNodeMemory;
import live.retwis.redis.Keys;
import live.retwis.redis.Uncancellable;
import live.retwis.web.ProblemException;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** The Bookmark button. Bookmarks are nobody else's concern, so they are not logged. */
@Component
@Order(3)
class BookmarkToggle implements PostToggle {

	private final PostListRepository lists;

	private final AccountStateRepository accounts;

	private final DataClock clock;

	private final DataNodeMemory memory;

	BookmarkToggle(PostListRepository lists, AccountStateRepository accounts, DataClock clock, DataNodeMemory memory) {
		this.memory = memory;
		this.lists = lists;
		this.accounts = accounts;
		this.clock = clock;
	}

	@Override
	public String action(boolean on) {
		return on ? "bookmark" : "unbookmark";
	}

	@Override
	public Message label(boolean on) {
		return on ? Message.of("bookmark.do") : Message.of("bookmark.undo");
	}

	@Override
	public RateLimit limit() {
		return RateLimit.BOOKMARKS;
	}

	@Override
	public String name() {
		return "bookmarks";
	}

	@Override
	public Mono<Boolean> set(Viewer viewer, Post post, boolean on) {
		return (on ? this.memory.requireRoom().then(Uncancellable.of(add(viewer.id(), post.id())))
				: this.lists.remove(Keys.bookmarks(viewer.id()), post.id()))
			.thenReturn(true);
	}

	/**
	 * A bookmark is never given up for a newer one. It may have been added although the
	 * answer is lost.
	 */
	private Mono<Void> add(String userId, String postId) {
		Mono<Void> removeIfGone = this.accounts.ifGone(userId, this.lists.delete(Keys.bookmarks(userId)));
		return this.clock.millis()
			.flatMap((now) -> this.lists.addIfRoom(Keys.bookmarks(userId), postId, now))
			.onErrorResume((lost) -> removeIfGone.onErrorComplete().then(Mono.error(lost)))
			.flatMap((added) -> added ? removeIfGone : ProblemException.of(HttpStatus.UNPROCESSABLE_CONTENT,
					Message.of("bookmark.full", PostListRepository.MOST)));
	}

	@Override
	public Mono<List<String>> among(String userId, List<String> postIds) {
		return this.lists.among(Keys.bookmarks(userId), postIds);
	}

}
