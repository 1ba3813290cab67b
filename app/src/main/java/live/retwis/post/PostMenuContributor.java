package live.retwis.post;

import java.util.List;
import java.util.Optional;

import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

/**
 * Each feature that puts buttons or links under a post implements this. The page of a
 * post shows those of all features.
 */
public interface PostMenuContributor {

	/** The buttons and links for this viewer, or for somebody who is not signed in. */
	Mono<List<PostMenuItem>> of(Post post, Optional<Viewer> viewer);

}
