package live.retwis.post;

import java.util.List;
import java.util.Optional;

import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

/** What a feature offers on the page of a post. */
public interface PostActions {

	/** The buttons and links for this viewer, or for somebody who is not signed in. */
	Mono<List<PostAction>> of(Post post, Optional<Viewer> viewer);

}
