package live.retwis.bookmark;

import java.util.List;

import live.retwis.i18n.Message;
import live.retwis.post.Post;
import live.retwis.post.PostListRepository;
import live.retwis.post.PostToggle;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
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

	private final DataClock clock;

	BookmarkToggle(PostListRepository lists, DataClock clock) {
		this.lists = lists;
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
	public String name() {
		return "bookmarks";
	}

	@Override
	public Mono<Void> set(Viewer viewer, Post post, boolean on) {
		String key = Keys.bookmarks(viewer.id());
		return on ? add(key, post.id()) : this.lists.remove(key, post.id());
	}

	/** A bookmark is never given up for a newer one. */
	private Mono<Void> add(String key, String postId) {
		return this.lists.size(key)
			.flatMap((size) -> (size < PostListRepository.MOST)
					? this.clock.millis().flatMap((now) -> this.lists.add(key, PostListRepository.MOST, postId, now))
					: this.lists.among(key, List.of(postId))
						.filter((kept) -> kept.isEmpty())
						.flatMap((full) -> ProblemException.of(HttpStatus.UNPROCESSABLE_CONTENT,
								Message.of("bookmark.full", PostListRepository.MOST))));
	}

	@Override
	public Mono<List<String>> among(String userId, List<String> postIds) {
		return this.lists.among(Keys.bookmarks(userId), postIds);
	}

}
