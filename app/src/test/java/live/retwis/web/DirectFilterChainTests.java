package live.retwis.web;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;

import static org.assertj.core.api.Assertions.assertThat;

class DirectFilterChainTests {

	private final ServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/home"));

	private final List<String> passed = new ArrayList<>();

	private WebFilter named(String name) {
		return (exchange, chain) -> {
			this.passed.add(name);
			return chain.filter(exchange);
		};
	}

	private Mono<Void> through(WebFilter... filters) {
		return new DirectFilterChain(List.of(filters)).filter(this.exchange,
				(filtered) -> Mono.fromRunnable(() -> this.passed.add(filtered.getRequest().getPath().value())));
	}

	@Test
	void theFiltersRunInTheirOrderAndThenTheHandler() {
		StepVerifier.create(through(named("first"), named("second"))).verifyComplete();
		assertThat(this.passed).containsExactly("first", "second", "/home");
	}

	@Test
	void withoutFiltersTheHandlerAnswers() {
		StepVerifier.create(through()).verifyComplete();
		assertThat(this.passed).containsExactly("/home");
	}

	@Test
	void aFilterThatAnswersKeepsTheRestFromRunning() {
		StepVerifier.create(through(named("first"), (exchange, chain) -> Mono.empty(), named("third")))
			.verifyComplete();
		assertThat(this.passed).containsExactly("first");
	}

	@Test
	void theRestSeesTheExchangeOfTheFilterBeforeIt() {
		ServerWebExchange other = MockServerWebExchange.from(MockServerHttpRequest.get("/other"));
		StepVerifier.create(through((exchange, chain) -> chain.filter(other))).verifyComplete();
		assertThat(this.passed).containsExactly("/other");
	}

	@Test
	void anErrorReachesTheFiltersBeforeIt() {
		StepVerifier
			.create(through((exchange, chain) -> chain.filter(exchange).onErrorComplete(),
					(exchange, chain) -> Mono.error(new IllegalStateException("refused"))))
			.verifyComplete();
	}

	@Test
	void whatAFilterThrowsIsAnErrorForTheFiltersBeforeIt() {
		StepVerifier
			.create(through((exchange, chain) -> chain.filter(exchange).onErrorComplete(), (exchange, chain) -> {
				throw new IllegalStateException("thrown");
			}))
			.verifyComplete();
	}

	@Test
	void anErrorOfTheVirtualMachinesLibraryIsAnErrorForTheFiltersBeforeIt() {
		StepVerifier
			.create(through((exchange, chain) -> chain.filter(exchange).onErrorComplete(), (exchange, chain) -> {
				throw new AssertionError("thrown");
			}))
			.verifyComplete();
	}

	@Test
	void cancellingReachesTheHandler() {
		AtomicBoolean cancelled = new AtomicBoolean();
		StepVerifier.create(new DirectFilterChain(List.of(named("first"))).filter(this.exchange,
				(filtered) -> Mono.<Void>never().doOnCancel(() -> cancelled.set(true))))
			.thenCancel()
			.verify();
		assertThat(cancelled).isTrue();
	}

}
