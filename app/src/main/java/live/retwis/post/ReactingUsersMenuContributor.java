package live.retwis.post;

import java.util.List;
import java.util.Optional;

import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** On the page of a post: links to the lists of those who did something to it. */
@Component
@Order(1)
class ReactingUsersMenuContributor implements PostMenuContributor {

	private final List<ReactingUsersList> lists;

	ReactingUsersMenuContributor(List<ReactingUsersList> lists) {
		this.lists = lists;
	}

	@Override
	public Mono<List<PostMenuItem>> of(Post post, Optional<Viewer> viewer) {
		return Mono.just(this.lists.stream()
			.map((list) -> new PostMenuItem(list.heading(), "/posts/" + post.id() + "/" + list.name(), true))
			.toList());
	}

}
