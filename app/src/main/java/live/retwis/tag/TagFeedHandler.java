package live.retwis.tag;

import java.util.Optional;

import live.retwis.atom.AtomFeed;
import live.retwis.i18n.Message;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.text.HashtagRules;
import live.retwis.web.ProblemException;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the feed of the posts that have a tag. */
@Component
class TagFeedHandler implements RouteContributor {

	/**
	 * When the feed of a tag that no post has was updated. Any time that stays will do.
	 */
	private static final long NEVER = 0;

	private final TagPageReader tags;

	private final AtomFeed feed;

	TagFeedHandler(TagPageReader tags, AtomFeed feed) {
		this.tags = tags;
		this.feed = feed;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get("/tags/{tag}/feed", this::feed);
	}

	private Mono<ServerResponse> feed(ServerRequest request) {
		return HashtagRules.find(request.pathVariable("tag"))
			.map((tag) -> feed(request, tag))
			.orElseGet(() -> ProblemException.notFound(Message.of("tag.missing")));
	}

	private Mono<ServerResponse> feed(ServerRequest request, String tag) {
		String address = TagHandler.address(tag);
		return this.tags.read(tag, Optional.empty(), AtomFeed.ENTRIES, Mono.just(HiddenAuthors.NOBODY))
			.flatMap((found) -> this.feed.of(request, address.substring(1).replace('/', ':'), "#" + tag, address, NEVER,
					found.posts()));
	}

}
