package live.retwis.restriction;

import java.time.Duration;
import java.util.List;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import org.springframework.http.HttpCookie;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

class ViewerAwarePageReaderTests {

	private static final Duration BOUND = Duration.ofSeconds(5);

	private final TestPublisher<String> page = TestPublisher.create();

	private Mono<ViewerAwarePageReader.Read<String>> read() {
		return Site.shared()
			.bean(ViewerAwarePageReader.class)
			.read(MockServerWebExchange.from(MockServerHttpRequest.get("/")),
					(hidden) -> hidden.flatMap((authors) -> this.page.mono().map((text) -> text + authors.isNobody())));
	}

	@Test
	void aVisitorSeesEverybody() {
		StepVerifier.create(read()).then(() -> this.page.emit("nobody is hidden: ")).assertNext((read) -> {
			assertThat(List.of(read.page())).containsExactly("nobody is hidden: true");
			assertThat(read.viewer()).isEmpty();
			assertThat(read.hidden().isNobody()).isTrue();
		}).expectComplete().verify(BOUND);
	}

	/**
	 * The page's position is then after the block, so no stream would tell of it.
	 */
	@Test
	void whoIsBlockedWhileThePageIsReadIsHiddenOnIt() {
		Visitor viewer = Visitor.registered(Site.shared());
		Visitor other = Visitor.registered(Site.shared());
		viewer.get("/@" + other.name());
		MockServerHttpRequest request = MockServerHttpRequest.get("/")
			.cookie(new HttpCookie("auth", viewer.cookie("auth")))
			.build();
		StepVerifier
			.create(Site.shared()
				.bean(ViewerAwarePageReader.class)
				.read(MockServerWebExchange.from(request),
						(hidden) -> this.page.mono()
							.flatMap((text) -> hidden.map((authors) -> authors.contains(other.id())))))
			.then(() -> {
				assertThat(viewer.submit("/@" + other.name() + "/block").status()).isEqualTo(303);
				this.page.emit("the page");
			})
			.assertNext((read) -> {
				assertThat(read.page()).isTrue();
				assertThat(read.hidden().contains(other.id())).isTrue();
			})
			.expectComplete()
			.verify(BOUND);
	}

	@Test
	void withoutAPageThereIsNothing() {
		StepVerifier.create(read()).then(this.page::complete).expectComplete().verify(BOUND);
	}

	@Test
	void passesTheErrorOn() {
		StepVerifier.create(read())
			.then(() -> this.page.error(new IllegalStateException("away")))
			.expectErrorMessage("away")
			.verify(BOUND);
	}

	@Test
	void cancellingStopsThePage() {
		StepVerifier.create(read())
			.expectSubscription()
			.then(this.page::assertWasSubscribed)
			.thenCancel()
			.verify(BOUND);
		this.page.assertCancelled();
	}

}
