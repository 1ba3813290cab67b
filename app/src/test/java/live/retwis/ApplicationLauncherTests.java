package live.retwis;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

import io.netty.channel.socket.nio.NioSocketChannel;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

class ApplicationLauncherTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	/** Threads that instances in one program share. */
	private static final String SHARED = "(awaitility|parallel|boundedElastic|reactor-http|event-stream|HttpClient|ForkJoin"
			+ "|process reaper|globalEventExecutor|MultiplexedConnection|loop-epoll|lettuce|server).*";

	@Test
	void aStoppedInstanceLeavesNoThreadsBehind() {
		Visitor.of(Site.shared()).get("/");
		Set<Thread> before = threads();
		try (Site site = Site.another()) {
			Visitor.registered(site).post("an instance at work");
			assertThat(added(before)).anyMatch((thread) -> thread.startsWith("live-feed"))
				.anyMatch((thread) -> thread.startsWith("password-"));
		}
		Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(added(before)).isEmpty());
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void anAnswerToAConnectionThatHasJustEndedIsNoErrorOfTheSite(CapturedOutput log) {
		Visitor.of(Site.shared()).get("/");
		Throwable ended = catchThrowable(new NioSocketChannel()::eventLoop);
		Operators.onErrorDropped(ended, Context.empty());
		Operators.onErrorDropped(new IllegalStateException("another"), Context.empty());
		assertThat(log.toString()).contains("IllegalStateException: another").doesNotContain(ended.getMessage());
	}

	private static Set<Thread> threads() {
		return Thread.getAllStackTraces().keySet();
	}

	private static Set<String> added(Set<Thread> before) {
		Set<Thread> added = new HashSet<>(threads());
		added.removeAll(before);
		return added.stream().map(Thread::getName).filter((name) -> !name.matches(SHARED)).collect(Collectors.toSet());
	}

}
