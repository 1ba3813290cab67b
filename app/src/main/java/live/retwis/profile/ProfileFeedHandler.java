package live.retwis.profile;

import java.net.URI;
import java.util.Optional;

import live.retwis.account.User;
import live.retwis.account.UsernameRepository;
import live.retwis.atom.AtomFeed;
import live.retwis.i18n.Message;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.timeline.TimelinePage;
import live.retwis.timeline.TimelinePageReader;
import live.retwis.web.ProblemException;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the feed of a user's own posts. */
@Component
class ProfileFeedHandler implements RouteContributor {

	private final UsernameRepository usernames;

	private final TimelinePageReader timelines;

	private final AtomFeed feed;

	ProfileFeedHandler(UsernameRepository usernames, TimelinePageReader timelines, AtomFeed feed) {
		this.usernames = usernames;
		this.timelines = timelines;
		this.feed = feed;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get("/@{username}/feed", this::feed);
	}

	private Mono<ServerResponse> feed(ServerRequest request) {
		String name = request.pathVariable("username");
		return this.usernames.findUser(name)
			.flatMap((user) -> this.timelines.postsOf(user.id(), Optional.empty(), AtomFeed.ENTRIES,
					Mono.just(HiddenAuthors.NOBODY), Mono.just(user)))
			.flatMap((read) -> name.equals(read.beside().username()) ? answer(request, read)
					: ServerResponse.status(HttpStatus.MOVED_PERMANENTLY)
						.location(URI.create("/@" + read.beside().username() + "/feed"))
						.build())
			.switchIfEmpty(ProblemException.notFound(Message.of("user.missing")));
	}

	private Mono<ServerResponse> answer(ServerRequest request, TimelinePage<User> read) {
		User user = read.beside();
		String name = "@" + user.username();
		return this.feed.of(request, "user:" + user.id(), name, "/" + name, user.created(), read.posts());
	}

}
