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
 * Takes this instance out of service before its web server stops. Readiness is already
 * off by then, and answers close their connections. The instance goes on serving for
 * {@code retwis.live.drain}, because a load balancer goes on sending requests until its
 * next readiness check. Then the streams end, a part of them at a time: each browser
 * reconnects soon after, and the other instances get all of these readers.
 * <p>
 * It waits no longer than needed. With embedded nodes there is no load balancer, and a
 * few streams end in as many steps.
 */
@Component
@ConditionalOnWebApplication(type = Type.REACTIVE)
class StreamDrain implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(StreamDrain.class);

	/** All streams have ended after this many steps, which take three seconds. */
	private static final int STEPS = 30;

	private static final Duration STEP = Duration.ofMillis(100);

	private final StreamRegistry streams;

	private final Duration notice;

	private volatile boolean running;

	StreamDrain(StreamRegistry streams, LiveProperties properties) {
		this.streams = streams;
		this.notice = properties.drain();
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop(Runnable done) {
		this.running = false;
		this.streams.acceptNew(false);
		Mono.delay(this.notice)
			.then(end(STEPS))
			.doFinally((signal) -> done.run())
			.subscribe(null, (error) -> logger.error("The streams cannot be ended", error));
	}

	private Mono<Void> end(int steps) {
		return this.streams.endOneOf(steps)
			.flatMap((left) -> (left == 0) ? Mono.empty() : Mono.delay(STEP).then(Mono.defer(() -> end(steps - 1))));
	}

	@Override
	public void stop() {
		stop(() -> {
			// Nothing waits for the end of the drain here.
		});
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * Stops before the web server, whose graceful shutdown waits for all open streams. It
	 * has a phase of its own: Spring waits for as many stopped beans as a phase has, and
	 * counts dependent beans of other phases too.
	 */
	@Override
	public int getPhase() {
		return SmartLifecycle.DEFAULT_PHASE;
	}

}
