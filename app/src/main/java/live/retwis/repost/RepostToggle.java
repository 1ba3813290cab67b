package live.retwis.repost;

import java.util.List;

import live.retwis.i18n.Message;
import live.retwis.post.Post;
import live.retwis.post.PostDeletion;
import live.retwis.post.PostToggle;
import live.retwis.post.Posting;
import live.retwis.web.ProblemException;
import live.retwis.web.Viewer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * The Repost button. Two requests at the same moment may make two reposts; the workers
 * delete the second, see {@link RepostFanOut}.
 */
@Component
@Order(2)
class RepostToggle implements PostToggle {

	private static final Logger logger = LoggerFactory.getLogger(RepostToggle.class);

	private final RepostRepository reposts;

	private final Posting posting;

	private final PostDeletion deletion;

	RepostToggle(RepostRepository reposts, Posting posting, PostDeletion deletion) {
		this.reposts = reposts;
		this.posting = posting;
		this.deletion = deletion;
	}

	@Override
	public String action(boolean on) {
		return on ? "repost" : "unrepost";
	}

	@Override
	public Message label(boolean on) {
		return on ? Message.of("repost.do") : Message.of("repost.undo");
	}

	@Override
	public String name() {
		return "reposts";
	}

	@Override
	public Mono<Void> set(Viewer viewer, Post post, boolean on) {
		return on ? repost(viewer, post)
				: this.reposts.find(post.id(), viewer.id())
					.flatMap((repostId) -> this.deletion.delete(viewer, repostId))
					.then();
	}

	private Mono<Void> repost(Viewer viewer, Post post) {
		return this.reposts.find(post.id(), viewer.id())
			.hasElement()
			.filter((already) -> !already)
			.flatMap((fresh) -> this.reposts.count(post.id()))
			.flatMap((count) -> (count >= RepostRepository.MOST)
					? ProblemException.<String>of(HttpStatus.UNPROCESSABLE_CONTENT, Message.of("repost.too-many"))
					: this.posting.repost(viewer, post))
			.flatMap((repostId) -> add(viewer, post, repostId))
			.then();
	}

	/** The workers add it, too. But a viewer who takes it back at once must find it. */
	private Mono<String> add(Viewer viewer, Post post, String repostId) {
		return this.reposts.add(post.id(), viewer.id(), repostId).onErrorResume((error) -> {
			logger.warn("Repost {} is committed, and the workers will list it: {}", repostId, error.toString());
			return Mono.empty();
		});
	}

	@Override
	public Mono<List<String>> among(String userId, List<String> postIds) {
		return this.reposts.among(userId, postIds);
	}

}
