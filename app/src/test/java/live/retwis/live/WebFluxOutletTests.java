package live.retwis.live;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.netty.channel.embedded.EmbeddedChannel;
import live.retwis.live.StreamOutlet.Taken;
import org.junit.jupiter.api.Test;
import reactor.netty.Connection;
import reactor.test.StepVerifier;

import static live.retwis.live.Entries.frame;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The bounded buffer of a stream that the web framework writes.
 */
class WebFluxOutletTests {

	private static final int CAPACITY = 8;

	private static final Duration LIMIT = Duration.ofSeconds(5);

	private final EmbeddedChannel socket = new EmbeddedChannel();

	private final StreamOutlet outlet = new WebFluxOutlet(Runnable::run, CAPACITY);

	@Test
	void returnsEventsInTheOrderInWhichTheyWereWritten() {
		StepVerifier.create(this.outlet.body().map(Entries::text)).then(() -> {
			this.outlet.write(frame(1));
			this.outlet.write(frame(2));
		}).expectNext("frame 1", "frame 2").thenCancel().verify(LIMIT);
	}

	@Test
	void returnsTheReplayBeforeEventsThatWereWrittenMeanwhile() {
		this.outlet.write(frame(3));
		this.outlet.replay(List.of(frame(1), frame(2)).iterator());
		StepVerifier.create(this.outlet.body().map(Entries::text))
			.expectNext("frame 1", "frame 2", "frame 3")
			.thenCancel()
			.verify(LIMIT);
	}

	@Test
	void keepsEventsThatAreWrittenBeforeTheSocketIsReady() {
		this.outlet.write(frame(1));
		StepVerifier.create(this.outlet.body().map(Entries::text))
			.expectNext("frame 1")
			.then(() -> this.outlet.write(frame(2)))
			.expectNext("frame 2")
			.thenCancel()
			.verify(LIMIT);
	}

	@Test
	void theEndComesAfterTheBufferedEvents() {
		this.outlet.write(frame(1));
		this.outlet.end();
		StepVerifier.create(this.outlet.body().map(Entries::text)).expectNext("frame 1").expectComplete().verify(LIMIT);
	}

	@Test
	void aSocketThatAcceptsNothingIsCutOffWhenTheBufferIsFull() {
		StepVerifier.create(this.outlet.body().map(Entries::text), 2).then(() -> {
			for (int number = 1; number <= CAPACITY + 2; number++) {
				assertThat(this.outlet.write(frame(number))).as("event %d", number).isEqualTo(Taken.YES);
			}
			assertThat(this.outlet.write(frame(CAPACITY + 3))).isEqualTo(Taken.CUT_OFF);
		}).expectNext("frame 1", "frame 2").expectComplete().verify(LIMIT);
	}

	@Test
	void aStreamWhoseEndIsNotReadIsClosedAfterSomeSeconds() {
		this.socket.freezeTime();
		StreamOutlet known = new WebFluxOutlet(Runnable::run, CAPACITY, Connection.from(this.socket));
		StepVerifier.create(known.body().map(Entries::text), 1).then(() -> {
			known.write(frame(1));
			known.write(frame(2));
			known.end();
			pass(Duration.ofSeconds(9));
			assertThat(this.socket.isOpen()).isTrue();
			pass(Duration.ofSeconds(1));
			assertThat(this.socket.isOpen()).isFalse();
		}).expectNext("frame 1").expectComplete().verify(LIMIT);
	}

	private void pass(Duration time) {
		this.socket.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
		this.socket.runScheduledPendingTasks();
	}

	@Test
	void aFailedReplayEndsTheStream() {
		StreamOutlet known = new WebFluxOutlet(Runnable::run, CAPACITY, Connection.from(this.socket));
		known.replay(Stream.of(1, 2).map((number) -> frame(3 / (2 - number))).iterator());
		known.write(frame(4));
		StepVerifier.create(known.body().map(Entries::text)).expectNext("frame 3").expectComplete().verify(LIMIT);
		assertThat(this.socket.isOpen()).isFalse();
	}

	@Test
	void nothingIsAcceptedAfterTheEnd() {
		this.outlet.end();
		assertThat(this.outlet.write(frame(1))).isEqualTo(Taken.OVER);
	}

	@Test
	void nothingIsAcceptedAfterTheSocketIsClosed() {
		StepVerifier.create(this.outlet.body()).thenCancel().verify(LIMIT);
		assertThat(this.outlet.write(frame(1))).isEqualTo(Taken.OVER);
	}

}
