package live.retwis.live;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

import live.retwis.account.Session;
import live.retwis.account.SessionReader;
import live.retwis.account.UserRepository;
import live.retwis.account.UsernameRepository;
import live.retwis.limit.RateLimit;
import live.retwis.logging.InstanceName;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.text.HashtagRules;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Serves the streams. A browser gives up for good on any status but 200. So only final
 * answers have another status: 401 for a signed-out user and for the page of another user
 * than the one who is signed in now, 404 for an unknown user, 204 for a user whose
 * account is deleted.
 */
@Component
class LiveHandler implements RouteContributor {

	/**
	 * The query parameter {@code with=instance} asks for an event that names the instance
	 * serving the stream.
	 */
	private static final String WITH = "with";

	private static final String INSTANCE = "instance";

	/**
	 * The query parameter in which a page tells the id of the user that it was made for.
	 */
	private static final String VIEWER = "viewer";

	/** The query parameter with the id of the user that a page is about. */
	private static final String ABOUT = "about";

	/** The query parameter with the ids of the posts whose counts are wanted. */
	private static final String POSTS = "posts";

	private static final Pattern MILLIS = Pattern.compile("\\d{1,15}");

	private final SessionReader sessions;

	private final UsernameRepository usernames;

	private final UserRepository users;

	private final StreamOpener streams;

	private final InstanceName instance;

	LiveHandler(SessionReader sessions, UsernameRepository usernames, UserRepository users, StreamOpener streams,
			InstanceName instance) {
		this.sessions = sessions;
		this.usernames = usernames;
		this.users = users;
		this.streams = streams;
		this.instance = instance;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get("/live/home", (request) -> openOwn(request, StreamSelection::home))
			.counting(RateLimit.STREAMS)
			.get("/live/notifications", this::notifications)
			.counting(RateLimit.STREAMS)
			.get("/live/public", this::everyone)
			.counting(RateLimit.STREAMS)
			.get("/live/@{username}", this::author)
			.counting(RateLimit.STREAMS)
			.get("/live/tags/{tag}", this::tag)
			.counting(RateLimit.STREAMS)
			.get("/live/posts/{id}", this::conversation)
			.counting(RateLimit.STREAMS);
	}

	/**
	 * Everybody may see the counts of posts. Only a viewer has notifications, and the
	 * page of a viewer learns that the session is over.
	 */
	private Mono<ServerResponse> notifications(ServerRequest request) {
		String about = request.queryParam(ABOUT).filter(TimeSortedIdGenerator::isValid).orElse("");
		return (posts(request).isEmpty() || request.queryParam(VIEWER).isPresent())
				? openOwn(request, (userId) -> StreamSelection.viewer(userId, about))
				: openSeen(request, StreamSelection.viewer(""));
	}

	/** Opens a stream that only its viewer may see. */
	private Mono<ServerResponse> openOwn(ServerRequest request, Function<String, StreamSelection> interest) {
		return this.sessions.find(request.exchange())
			.filter((session) -> isPageOf(Optional.of(session), request))
			.flatMap((session) -> open(request, interest.apply(session.viewer().id()), isSignedIn(request),
					session.tokenHash()))
			.switchIfEmpty(Mono.defer(LiveHandler::signedOut))
			.onErrorResume(RedisErrorClassifier::isAway, (error) -> serveLater(request));
	}

	/** The posts that a page shows although its list may not be told of them. */
	private static List<String> posts(ServerRequest request) {
		return TimeSortedIdGenerator.namedIn(request.queryParam(POSTS).orElse(""));
	}

	private Mono<ServerResponse> everyone(ServerRequest request) {
		return openSeen(request, StreamSelection.everyone());
	}

	private Mono<ServerResponse> conversation(ServerRequest request) {
		String postId = request.pathVariable("id");
		return TimeSortedIdGenerator.isValid(postId) ? openSeen(request, StreamSelection.conversation(postId))
				: ServerResponse.notFound().build();
	}

	private Mono<ServerResponse> tag(ServerRequest request) {
		return HashtagRules.find(request.pathVariable("tag"))
			.map((tag) -> openSeen(request, StreamSelection.tag(tag)))
			.orElseGet(() -> ServerResponse.notFound().build());
	}

	private Mono<ServerResponse> author(ServerRequest request) {
		return this.usernames.findId(request.pathVariable("username"))
			.flatMap((userId) -> this.users.findById(userId)
				.flatMap((user) -> openSeen(request, StreamSelection.author(userId)))
				.switchIfEmpty(Mono.defer(() -> ServerResponse.noContent().build())))
			.switchIfEmpty(Mono.defer(() -> ServerResponse.notFound().build()))
			.onErrorResume(RedisErrorClassifier::isAway, (error) -> serveLater(request));
	}

	/** A tab stays open when another user logs in in the same browser. */
	private static boolean isPageOf(Optional<Session> session, ServerRequest request) {
		return request.queryParam(VIEWER).isEmpty()
				|| request.queryParam(VIEWER).equals(session.map((some) -> some.viewer().id()));
	}

	private static Mono<ServerResponse> signedOut() {
		return ServerResponse.status(HttpStatus.UNAUTHORIZED).build();
	}

	private Mono<Boolean> isSignedIn(ServerRequest request) {
		return this.sessions.of(request.exchange()).hasElement();
	}

	/**
	 * Opens a stream that everybody may see. A viewer who is signed in does not get what
	 * the viewer has hidden, but gets the number of unread notifications. A page that was
	 * made for a viewer has no stream when that session is over: it would bring what the
	 * viewer has hidden.
	 */
	private Mono<ServerResponse> openSeen(ServerRequest request, StreamSelection interest) {
		return this.sessions.find(request.exchange())
			.singleOptional()
			.flatMap((session) -> !isPageOf(session, request) ? signedOut()
					: open(request, interest.seenBy(session.map(Session::viewer)),
							session.isPresent() ? isSignedIn(request) : Mono.just(true),
							session.map(Session::tokenHash).orElse("")))
			.onErrorResume(RedisErrorClassifier::isAway, (error) -> serveLater(request));
	}

	private static Mono<ServerResponse> serveLater(ServerRequest request) {
		return StreamResponse.of(request, (answer) -> Flux.just(ServerSentEventEncoder.farewell()));
	}

	private Mono<ServerResponse> open(ServerRequest request, StreamSelection interest, Mono<Boolean> allowed,
			String session) {
		boolean named = request.queryParam(WITH).filter(INSTANCE::equals).isPresent();
		StreamSelection since = interest.since(since(request)).withCountsOf(posts(request));
		StreamSelection wanted = named ? since.servedBy(this.instance.toString()) : since;
		Optional<String> position = StreamResponse.position(request);
		return StreamResponse.of(request,
				(answer) -> this.streams.open(request.exchange(), session, wanted, position, allowed));
	}

	/**
	 * The time that the page gives as {@code since}; 0 when it is absent or malformed.
	 */
	private static long since(ServerRequest request) {
		return request.queryParam("since")
			.filter((text) -> MILLIS.matcher(text).matches())
			.map(Long::valueOf)
			.orElse(0L);
	}

}
