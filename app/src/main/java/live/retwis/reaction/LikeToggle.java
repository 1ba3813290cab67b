package live.retwis.reaction;

import java.util.List;

import live.retwis.export.ExportPart;
import live.retwis.export.PostListExport;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.post.Post;
import live.retwis.post.PostToggle;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** The Like button. */
@Component
@Order(1)
class LikeToggle implements PostToggle {

	private final ReactionWriter reactions;

	private final ReactionRepository repository;

	LikeToggle(ReactionWriter reactions, ReactionRepository repository) {
		this.reactions = reactions;
		this.repository = repository;
	}

	@Bean
	static PostListExport likesExport(ReactionRepository reactions) {
		return new PostListExport("likes", "liked_at",
				(userId, after) -> reactions.posts(Reaction.LIKE, userId, after, ExportPart.PAGE));
	}

	@Override
	public String action(boolean on) {
		return Reaction.LIKE.action(on);
	}

	@Override
	public Message label(boolean on) {
		return on ? Reaction.LIKE.texts().react() : Reaction.LIKE.texts().undo();
	}

	@Override
	public RateLimit limit() {
		return RateLimit.LIKES;
	}

	@Override
	public String name() {
		return Reaction.LIKE.list();
	}

	@Override
	public Mono<Boolean> set(Viewer viewer, Post post, boolean on) {
		return this.reactions.react(Reaction.LIKE, viewer.id(), post, on);
	}

	@Override
	public Mono<List<String>> among(String userId, List<String> postIds) {
		return this.repository.of(Reaction.LIKE, userId, postIds);
	}

}
