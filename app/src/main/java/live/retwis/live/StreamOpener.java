package live.retwis.live;

import java.util.List;
import java.util.Optional;

import live.retwis.follow.FollowRepository;
import live.retwis.log.LogPosition;
import live.retwis.logging.RequestId;
import live.retwis.restriction.HiddenAuthorsCache;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/**
 * Opens streams. A stream gets the entries after its position in log order, and then live
 * events.
 */
@Component
class StreamOpener {

	private static final Logger logger = LoggerFactory.getLogger(StreamOpener.class);

	/**
	 * How often a position is looked for: long enough for an instance to catch up with
	 * one that was 2 s ahead.
	 */
	private static final int TRIES = 40;

	private final StreamRegistry streams;

	private final LiveFeed feed;

	private final FollowRepository follows;

	private final HiddenAuthorsCache hidden;

	private final StreamLimit limit;

	StreamOpener(StreamRegistry streams, LiveFeed feed, FollowRepository follows, HiddenAuthorsCache hidden,
			StreamLimit limit) {
		this.streams = streams;
		this.feed = feed;
		this.follows = follows;
		this.hidden = hidden;
		this.limit = limit;
	}

	/**
	 * The frames of a stream. Subscribing opens it, cancelling closes it. If it cannot be
	 * served, it says when to reconnect and ends, because a browser gives up for good on
	 * an error status.
	 * @param exchange the request, and the response that carries the stream
	 * @param session hash of the token of the session; empty for a signed-out client
	 * @param filter which entries the stream gets
	 * @param asked the position from the client; empty when it sent none
	 * @param allowed whether the stream may be opened. It is checked after the stream is
	 * registered for log-outs, so that none is missed. If false, the stream ends
	 */
	Flux<byte[]> open(ServerWebExchange exchange, String session, StreamSelection filter, Optional<String> asked,
			Mono<Boolean> allowed) {
		return this.limit.within(exchange, session,
				(over) -> open(exchange.getResponse(), filter, asked, allowed, over));
	}

	private Flux<byte[]> open(ServerHttpResponse answer, StreamSelection filter, Optional<String> asked,
			Mono<Boolean> allowed, Runnable over) {
		return Flux.defer(() -> {
			OpenStream subscriber = new OpenStream(filter, this.streams.outlet(answer));
			Runnable leave = () -> {
				over.run();
				this.streams.leave(subscriber);
			};
			return forgetting(this.streams.announce(subscriber)
				.then(allowed)
				.filter(Boolean::booleanValue)
				.flatMap((yes) -> hide(subscriber).then(followed(filter)))
				.flatMap((followed) -> attach(subscriber, followed, asked))).switchIfEmpty(Mono.fromRunnable(leave))
				.doOnCancel(leave)
				.flatMapMany((attached) -> attached.body(leave))
				.doOnError((error) -> leave.run());
		}).onErrorResume((error) -> {
			over.run();
			RequestId.in(logger.atDebug(), answer)
				.log("A stream cannot be served now, so its browser will reconnect later: {}", error.toString());
			return Mono.just(ServerSentEventEncoder.farewell());
		});
	}

	/**
	 * Passes the result through a future, which lets go of the operators that produced
	 * it. Otherwise they, and everything they refer to, would stay in memory for as long
	 * as the stream lives.
	 */
	private static <T> Mono<T> forgetting(Mono<T> way) {
		return Mono.fromFuture(way::toFuture);
	}

	private Mono<Void> hide(OpenStream subscriber) {
		return Mono.just(subscriber.interest().viewer())
			.filter((viewer) -> !viewer.isEmpty())
			.flatMap(this.hidden::of)
			.flatMap((authors) -> this.streams.hide(subscriber, authors));
	}

	private Mono<List<String>> followed(StreamSelection filter) {
		return (filter.kind() == StreamSelection.Kind.HOME) ? this.follows.allFollowed(filter.subject())
				: Mono.just(List.of());
	}

	private Mono<OpenStream> attach(OpenStream subscriber, List<String> followed, Optional<String> asked) {
		if (asked.isEmpty()) {
			return this.streams.attach(subscriber, followed);
		}
		return Mono.justOrEmpty(LogPosition.parse(asked.get()))
			.flatMap((position) -> resume(subscriber, followed, position, TRIES))
			.switchIfEmpty(this.streams.attachReset(subscriber, followed));
	}

	/**
	 * Tries to resume at the position. Empty when the position cannot be resumed from. If
	 * this instance stays too far behind the one that gave the position to the reader, it
	 * fails, and the reader has to reconnect.
	 */
	private Mono<OpenStream> resume(OpenStream subscriber, List<String> followed, LogPosition position, int tries) {
		return this.streams.attach(subscriber, followed, position)
			.switchIfEmpty(this.feed.find(position)
				.filter(Boolean::booleanValue)
				.flatMap((again) -> (tries > 0) ? resume(subscriber, followed, position, tries - 1)
						: Mono.error(new IllegalStateException("this instance is behind"))));
	}

}
