package live.retwis.locks.lab;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.locks.lab.engine.FencingMode;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.play.LabSettings;
import live.retwis.locks.lab.scenario.Scenarios;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Somebody stops a run. Nothing of it stays in the program, which may be a site. */
@Timeout(120)
class StoppedRunTests {

	private static final Duration BOUND = Duration.ofSeconds(30);

	/** Five lock nodes and the store. */
	private static final int NODES = 6;

	private static final LabSettings LONG_LEASE = new LabSettings(5, Duration.ofSeconds(5), Duration.ofMillis(50),
			FencingMode.ENGINE);

	/** Threads, each with the ports and connections that it serves. */
	private static Set<Long> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> Stream.of("lab-", "fault-proxy-", "lock-nodes")
				.anyMatch((name) -> thread.getName().startsWith(name)))
			.map(Thread::getId)
			.collect(Collectors.toSet());
	}

	private static void assertNothingStays(String scenario, CountDownLatch situation, LabListener listener)
			throws InterruptedException {
		Set<Long> before = threads();
		LabRun run = new LabRun(listener);
		Thread playing = new Thread(() -> run.play(new RunRequest(Scenarios.find(scenario).stream().toList(),
				List.of(LabEngine.REDISSON), LONG_LEASE, 1, 1)));
		playing.start();
		assertThat(situation.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
		run.stop();
		playing.join(BOUND.toMillis());
		assertThat(playing.isAlive()).isFalse();
		Awaitility.await("no thread of the run")
			.atMost(BOUND)
			.untilAsserted(() -> assertThat(threads()).isSubsetOf(before));
		assertThat(ProcessHandle.current()
			.children()
			.filter((child) -> child.info().command().orElse("").contains("redis"))).isEmpty();
	}

	/** A client is paused, a node has crashed, a node is paused. */
	@ParameterizedTest
	@ValueSource(strings = { "1", "3", "9" })
	@Tag("slow")
	@Tag("long")
	void nothingStaysOfARunThatIsStoppedWhileAFaultIsInjected(String scenario) throws InterruptedException {
		CountDownLatch injected = new CountDownLatch(1);
		assertNothingStays(scenario, injected, new LabListener() {

			@Override
			public void happened(HistoryEvent event) {
				if (event.kind() == Kind.INJECT) {
					injected.countDown();
				}
			}

		});
	}

	@Test
	@Tag("slow")
	void nothingStaysOfARunThatIsStoppedWhileItsClientsStart() throws InterruptedException {
		CountDownLatch up = new CountDownLatch(1);
		AtomicInteger started = new AtomicInteger();
		assertNothingStays("1", up, new LabListener() {

			@Override
			public void started(long pid) {
				if (started.incrementAndGet() == NODES) {
					up.countDown();
				}
			}

		});
	}

}
