package live.retwis.lab;

import live.retwis.account.Session;
import live.retwis.account.SessionReader;
import live.retwis.limit.RateLimit;
import live.retwis.live.StreamLimit;
import live.retwis.live.StreamResponse;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import reactor.core.publisher.Mono;

import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * The stream of the lab. It is open to everybody.
 */
@ConditionalOnLab
class LabStreamHandler implements RouteContributor {

	private final LabFeed feed;

	private final StreamLimit limit;

	private final SessionReader sessions;

	LabStreamHandler(LabFeed feed, StreamLimit limit, SessionReader sessions) {
		this.feed = feed;
		this.limit = limit;
		this.sessions = sessions;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes
			.get("/live/lab",
					(request) -> StreamResponse
						.of(request,
								(answer) -> session(request)
									.flatMapMany(
											(session) -> this.limit.within(request.exchange(), session,
													(over) -> this.feed.stream(StreamResponse.position(request))
														.doFinally((signal) -> over.run())))))
			.counting(RateLimit.STREAMS);
	}

	/** Hash of the session's token, by which its streams are counted; "" for none. */
	private Mono<String> session(ServerRequest request) {
		return this.sessions.find(request.exchange())
			.map(Session::tokenHash)
			.onErrorResume(RedisErrorClassifier::isAway, (away) -> Mono.empty())
			.defaultIfEmpty("");
	}

}
