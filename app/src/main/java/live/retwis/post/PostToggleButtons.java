package live.retwis.post;

import java.util.List;
import java.util.Optional;

import live.retwis.web.Viewer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** The buttons on the page of a post that show what the viewer has done to it. */
@Component
@Order(0)
class PostToggleButtons implements PostMenuContributor {

	private final List<PostToggle> toggles;

	PostToggleButtons(List<PostToggle> toggles) {
		this.toggles = toggles;
	}

	@Override
	public Mono<List<PostMenuItem>> of(Post post, Optional<Viewer> viewer) {
		return Mono.justOrEmpty(viewer)
			.flatMapMany((user) -> Flux.fromIterable(this.toggles)
				.flatMapSequential((toggle) -> toggle.among(user.id(), List.of(post.id()))
					.map((done) -> button(toggle, post, done.isEmpty()))))
			.collectList();
	}

	private static PostMenuItem button(PostToggle toggle, Post post, boolean on) {
		return new PostMenuItem(toggle.label(on), "/posts/" + post.id() + "/" + toggle.action(on), false);
	}

}
