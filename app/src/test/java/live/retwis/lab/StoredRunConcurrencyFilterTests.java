package live.retwis.lab;

import java.net.URI;
import java.util.List;
import java.util.stream.Stream;

import live.retwis.web.ProblemException;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.http.HttpMethod;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

class StoredRunConcurrencyFilterTests {

	private final StoredRunConcurrencyFilter gate = new StoredRunConcurrencyFilter();

	private Mono<Void> ask(String path, Mono<Void> answer) {
		return this.gate.filter(
				MockServerWebExchange.from(MockServerHttpRequest.method(HttpMethod.GET, URI.create(path))),
				(exchange) -> answer);
	}

	@Test
	void slowReadersOfRunsKeepOthersWaitingOnlyUntilTheyAreGone() {
		List<Disposable> slow = Stream.generate(() -> ask("/lab/runs/1/report", Mono.never()).subscribe())
			.limit(StoredRunConcurrencyFilter.MOST)
			.toList();
		StepVerifier.create(ask("/lab/runs/2", Mono.empty())).expectError(ProblemException.class).verify();
		StepVerifier.create(ask("/lab/run%73/2", Mono.empty())).expectError(ProblemException.class).verify();
		StepVerifier.create(ask("/timeline", Mono.empty())).verifyComplete();
		slow.get(0).dispose();
		StepVerifier.create(ask("/lab/runs/2", Mono.empty())).verifyComplete();
		StepVerifier.create(ask("/lab/runs/2", Mono.error(new IllegalStateException("made by a test"))))
			.expectError(IllegalStateException.class)
			.verify();
		StepVerifier.create(ask("/lab/runs/2", Mono.empty())).verifyComplete();
	}

}
