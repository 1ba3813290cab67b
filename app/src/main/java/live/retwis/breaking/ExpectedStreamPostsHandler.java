package live.retwis.breaking;

import java.util.Optional;

import live.retwis.account.SessionReader;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.live.ExpectedStreamPosts;
import live.retwis.log.LogPosition;
import live.retwis.web.ProblemException;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Tells a page which posts its stream should have brought, by the log and not by what the
 * page believes.
 */
@ConditionalOnClusterControl
class ExpectedStreamPostsHandler implements RouteContributor {

	private final SessionReader sessions;

	private final ExpectedStreamPosts ledger;

	ExpectedStreamPostsHandler(SessionReader sessions, ExpectedStreamPosts ledger) {
		this.sessions = sessions;
		this.ledger = ledger;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get("/break/ledger", RateLimit.BREAKS, this::posts);
	}

	private Mono<ServerResponse> posts(ServerRequest request) {
		Optional<LogPosition> after = request.queryParam("after").flatMap(LogPosition::parse);
		Optional<LogPosition> until = request.queryParam("until").flatMap(LogPosition::parse);
		String stream = request.queryParam("stream").orElse("");
		if (after.isEmpty() || until.isEmpty()) {
			return ProblemException.of(HttpStatus.BAD_REQUEST, Message.of("break.ledger-positions"));
		}
		return this.sessions.optional(request.exchange())
			.flatMap((viewer) -> this.ledger.between(stream, viewer, after.get(), until.get()))
			.flatMap((found) -> ServerResponse.ok().bodyValue(found))
			.switchIfEmpty(ProblemException.notFound(Message.of("break.ledger-stream")));
	}

}
