package live.retwis.moderation;

import java.util.List;
import java.util.Optional;

import live.retwis.i18n.Message;
import live.retwis.post.Post;
import live.retwis.post.PostMenuContributor;
import live.retwis.post.PostMenuItem;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/** On the page of somebody else's post: the link to report it. */
@Component
@Order(2)
class ReportMenuContributor implements PostMenuContributor {

	@Override
	public Mono<List<PostMenuItem>> of(Post post, Optional<Viewer> viewer) {
		return Mono.justOrEmpty(viewer)
			.filter((user) -> !user.id().equals(post.authorId()))
			.map((user) -> List
				.of(new PostMenuItem(Message.of("report.link"), "/posts/" + post.id() + "/report", true)))
			.defaultIfEmpty(List.of());
	}

}
