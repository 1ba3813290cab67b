package live.retwis.search;

import java.util.List;
import java.util.Optional;

import live.retwis.account.ListedPeopleReader;
import live.retwis.account.ListedPerson;
import live.retwis.account.User;
import live.retwis.account.UserSearchIndex;
import live.retwis.post.PostListPage;
import live.retwis.redis.Cursor;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.tag.ListedTag;
import live.retwis.tag.TagSearch;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;
import reactor.function.TupleUtils;

import org.springframework.stereotype.Component;

/** Finds users, tags and posts. Users and tags are on the first page only. */
@Component
class CombinedSearch {

	/** Users and tags that a page shows. */
	private static final int SHOWN = 10;

	/** Users with the rarest word who are compared with the other words, at most. */
	private static final int COMPARED = 100;

	private static final int POSTS = 20;

	private static final Found NOTHING = new Found(List.of(), List.of(), PostListPage.EMPTY);

	private final UserSearchIndex names;

	private final ListedPeopleReader people;

	private final TagSearch tags;

	private final PostSearch posts;

	CombinedSearch(UserSearchIndex names, ListedPeopleReader people, TagSearch tags, PostSearch posts) {
		this.names = names;
		this.people = people;
		this.tags = tags;
		this.posts = posts;
	}

	/** Whether posts are found however old they are. */
	boolean findsOldPosts() {
		return this.posts.findsOldPosts();
	}

	/**
	 * What fits the query.
	 * @param hidden whom the viewer does not see
	 */
	Mono<Found> find(SearchQuery query, Optional<Viewer> viewer, Optional<Cursor> before, HiddenAuthors hidden) {
		if (query.words().isEmpty()) {
			return Mono.just(NOTHING);
		}
		Mono<PostListPage> found = this.posts.page(query.telling(), query.key(), before, POSTS, hidden);
		return before.isPresent() ? found.map((page) -> new Found(List.of(), List.of(), page))
				: Mono.zip(users(query, viewer, hidden), this.tags.find(query.text(), SHOWN), found)
					.map(TupleUtils.function(Found::new));
	}

	private Mono<List<ListedPerson>> users(SearchQuery query, Optional<Viewer> viewer, HiddenAuthors hidden) {
		return this.names.find(query.words(), COMPARED)
			.flatMap((found) -> this.people.list(viewer,
					found.stream()
						.filter((user) -> !hidden.contains(user.id()))
						.limit(SHOWN)
						.map(CombinedSearch::place)
						.toList()));
	}

	private static Cursor place(User user) {
		return new Cursor(user.created(), user.id());
	}

	/**
	 * What was found.
	 *
	 * @param users users by their names
	 * @param tags tags by their beginning
	 * @param posts a page of posts
	 */
	record Found(List<ListedPerson> users, List<ListedTag> tags, PostListPage posts) {

		boolean isEmpty() {
			return this.users.isEmpty() && this.tags.isEmpty() && this.posts.posts().isEmpty();
		}

	}

}
