package live.retwis.live;

import java.util.List;
import java.util.Optional;

import live.retwis.follow.FollowRepository;
import live.retwis.log.Position;
import live.retwis.logging.RequestId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;

/**
 * Opens streams: first what came after the position, in log order, then what comes live.
 */
@Component
class LiveStreams {

	private static final Logger logger = LoggerFactory.getLogger(LiveStreams.class);

	/**
	 * How often a position is looked for: enough to let an instance catch up with one
	 * that was 2 s ahead.
	 */
	private static final int TRIES = 40;

	private final LiveFeed feed;

	private final FollowRepository follows;

	LiveStreams(LiveFeed feed, FollowRepository follows) {
		this.feed = feed;
		this.follows = follows;
	}

	/**
	 * The frames of a stream; subscribing opens it, cancelling closes it. Where it cannot
	 * be served it says when to come back, and ends: a browser gives up for good on an
	 * error.
	 * @param answer which carries it
	 * @param asked the position as the client gave it; empty when it gave none
	 * @param allowed whether it may be opened, asked once it would be told of a log-out;
	 * where not, it ends
	 */
	Flux<byte[]> open(ServerHttpResponse answer, StreamFilter interest, Optional<String> asked, Mono<Boolean> allowed) {
		return Flux.defer(() -> {
			Subscriber subscriber = new Subscriber(interest, this.feed.outlet(answer));
			Runnable leave = () -> this.feed.leave(subscriber);
			return forgetting(this.feed.announce(subscriber)
				.then(allowed)
				.filter(Boolean::booleanValue)
				.flatMap((yes) -> followed(interest))
				.flatMap((followed) -> attach(subscriber, followed, asked))).switchIfEmpty(Mono.fromRunnable(leave))
				.doOnCancel(leave)
				.flatMapMany((attached) -> attached.body(leave))
				.doOnError((error) -> leave.run());
		}).onErrorResume((error) -> {
			RequestId.in(logger.atDebug(), answer).log("A stream is sent away for now: {}", error.toString());
			return Mono.just(EventFrame.farewell());
		});
	}

	/**
	 * By way of a future, which lets go of what led to it. Operators hold on to each
	 * other, and to all that they were given, for as long as the stream lives.
	 */
	private static <T> Mono<T> forgetting(Mono<T> way) {
		return Mono.fromFuture(way::toFuture);
	}

	private Mono<List<String>> followed(StreamFilter interest) {
		return (interest.kind() == StreamFilter.Kind.HOME) ? this.follows.allFollowed(interest.userId())
				: Mono.just(List.of());
	}

	private Mono<Subscriber> attach(Subscriber subscriber, List<String> followed, Optional<String> asked) {
		if (asked.isEmpty()) {
			return this.feed.attach(subscriber, followed);
		}
		return Mono.justOrEmpty(Position.parse(asked.get()))
			.flatMap((position) -> resume(subscriber, followed, position, TRIES))
			.switchIfEmpty(this.feed.attachReset(subscriber, followed));
	}

	/**
	 * Empty when the position cannot be resumed from. Where this instance lags far behind
	 * one that the reader knows of, the reader has to come back.
	 */
	private Mono<Subscriber> resume(Subscriber subscriber, List<String> followed, Position position, int tries) {
		return this.feed.attach(subscriber, followed, position)
			.switchIfEmpty(this.feed.find(position)
				.filter(Boolean::booleanValue)
				.flatMap((again) -> (tries > 0) ? resume(subscriber, followed, position, tries - 1)
						: Mono.error(new IllegalStateException("this instance is behind"))));
	}

}
