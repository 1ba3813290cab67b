package live.retwis.live;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Takes this instance out of service, before its web server stops. Readiness is off by
 * then, and answers close their connections. For {@code retwis.live.drain} it goes on
 * serving: a load balancer that is told by readiness goes on sending until it has looked.
 * Only then the streams end, a part of them at a time, since a browser whose stream ends
 * comes back at once, and a fleet that loses an instance gets all of its readers.
 * <p>
 * Nobody waits for nothing: with embedded nodes there is no load balancer to wait for,
 * and the parts of a few streams are over in as many steps.
 */
@Component
@ConditionalOnWebApplication(type = Type.REACTIVE)
class StreamDrain implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(StreamDrain.class);

	/** All streams are ended after this many steps, three seconds. */
	private static final int STEPS = 30;

	private static final Duration STEP = Duration.ofMillis(100);

	private final LiveFeed feed;

	private final Duration notice;

	private volatile boolean running;

	StreamDrain(LiveFeed feed, LiveProperties properties) {
		this.feed = feed;
		this.notice = properties.drain();
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop(Runnable done) {
		this.running = false;
		this.feed.close();
		Mono.delay(this.notice)
			.then(end(STEPS))
			.doFinally((signal) -> done.run())
			.subscribe(null, (error) -> logger.error("The streams cannot be ended", error));
	}

	private Mono<Void> end(int steps) {
		return this.feed.endOneOf(steps)
			.flatMap((left) -> (left == 0) ? Mono.empty() : Mono.delay(STEP).then(Mono.defer(() -> end(steps - 1))));
	}

	@Override
	public void stop() {
		stop(() -> {
			// Nobody waits for it.
		});
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * Before the web server, whose graceful shutdown waits for all that is open, and in a
	 * phase of its own: Spring waits for as many ends as a phase has parts, and counts
	 * those of other phases in when they hang together.
	 */
	@Override
	public int getPhase() {
		return SmartLifecycle.DEFAULT_PHASE;
	}

}
