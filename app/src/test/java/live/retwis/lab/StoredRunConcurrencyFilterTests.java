package live.retwis.lab;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.stream.IntStream;

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
		return ask(path, "192.0.2.1", answer);
	}

	private Mono<Void> ask(String path, String address, Mono<Void> answer) {
		return this.gate
			.filter(MockServerWebExchange.from(MockServerHttpRequest.method(HttpMethod.GET, URI.create(path))
				.remoteAddress(new InetSocketAddress(address, 50_000))), (exchange) -> answer);
	}

	@Test
	void anAddressHasAQuarterOfThePlacesAndAFullFilterForgetsWhomItRefused() {
		List<Disposable> slow = IntStream.range(0, StoredRunConcurrencyFilter.MOST_OF_AN_ADDRESS)
			.mapToObj((i) -> ask("/lab/runs/1/report", Mono.never()).subscribe())
			.toList();
		for (int i = 0; i < 3; i++) {
			StepVerifier.create(ask("/lab/runs/2", Mono.empty())).expectError(ProblemException.class).verify();
			StepVerifier.create(ask("/lab/runs/2", "192.0.2.2", Mono.empty())).verifyComplete();
		}
		slow.get(0).dispose();
		StepVerifier.create(ask("/lab/runs/2", Mono.empty())).verifyComplete();
	}

	@Test
	void slowReadersOfRunsKeepOthersWaitingOnlyUntilTheyAreGone() {
		List<Disposable> slow = IntStream.range(0, StoredRunConcurrencyFilter.MOST)
			.mapToObj((i) -> ask("/lab/runs/1/report", "198.51.100." + i / 2, Mono.never()).subscribe())
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
