package live.retwis.live;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import live.retwis.live.StreamOutlet.Taken;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What happens to the streams of a thread when an error occurs on it.
 */
class StreamEventLoopTests {

	private static final byte[] EVENT = "event".getBytes(StandardCharsets.US_ASCII);

	private static final long LIFE = 1L << 60;

	private final Queue<Runnable> tasks = new ArrayDeque<>();

	private final MeterRegistry meters = new SimpleMeterRegistry();

	private final StreamEventLoop loop = new StreamEventLoop(this.tasks::add,
			new DeliveryMetrics(this.meters, OptionalLong::empty));

	@Test
	void anErrorEndsAllStreamsThatMayLackAnEvent() {
		OpenStream everyone = new OpenStream(StreamSelection.everyone(), outlet());
		OpenStream home = new OpenStream(StreamSelection.home("bob"), outlet());
		StepVerifier.FirstStep<byte[]> body = StepVerifier
			.create(everyone.body(() -> this.loop.subscribers().leave(everyone)));
		this.loop.subscribers().join(everyone, List.of(), LIFE);
		this.loop.subscribers().announce(home);
		this.loop.execute(() -> {
			throw new OutOfMemoryError("made by a test");
		});
		body.then(this::runAll).expectComplete().verify();
		assertThat(everyone.isOver()).isTrue();
		assertThat(home.isOver()).as("it may not have heard of a log-out").isTrue();
		assertThat(everyone.send(EVENT, System.nanoTime())).isEqualTo(Taken.OVER);
		assertThat(this.loop.subscribers().size()).isZero();
		assertThat(this.meters.counter("retwis.live.cut.off").count()).isEqualTo(2);
	}

	@Test
	void aFailedFlushDoesNotStopTheOtherFlushes() {
		List<String> flushed = new ArrayList<>();
		this.loop.flushLater(() -> flushed.add("before"));
		this.loop.flushLater(() -> {
			throw new IllegalStateException("made by a test");
		});
		this.loop.flushLater(() -> flushed.add("after"));
		runAll();
		this.loop.flushLater(() -> flushed.add("later"));
		runAll();
		assertThat(flushed).containsExactly("before", "after", "later");
	}

	private WebFluxOutlet outlet() {
		return new WebFluxOutlet(this.tasks::add, 8);
	}

	private void runAll() {
		for (Runnable task = this.tasks.poll(); task != null; task = this.tasks.poll()) {
			task.run();
		}
	}

}
