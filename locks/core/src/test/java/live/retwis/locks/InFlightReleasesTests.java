package live.retwis.locks;

import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class InFlightReleasesTests {

	private final InFlightReleases order = new InFlightReleases();

	@Test
	void anAcquisitionWaitsForAllReleasesOfItsKey() {
		CompletableFuture<Void> first = new CompletableFuture<>();
		CompletableFuture<Void> second = new CompletableFuture<>();
		assertThat(this.order.released("a")).isDone();
		this.order.add("a", first);
		this.order.add("a", second);
		CompletableFuture<?> released = this.order.released("a");
		second.complete(null);
		assertThat(released).isNotDone();
		first.complete(null);
		assertThat(released).isDone();
		assertThat(this.order.released("a")).isDone();
	}

	@Test
	void anAcquisitionDoesNotWaitForOtherKeys() {
		this.order.add("a", new CompletableFuture<>());
		assertThat(this.order.released("b")).isDone();
	}

	@Test
	void aFinishedReleaseIsForgotten() {
		this.order.add("a", CompletableFuture.completedFuture(null));
		CompletableFuture<Void> later = new CompletableFuture<>();
		this.order.add("b", later);
		assertThat(this.order.size()).isOne();
		later.complete(null);
		assertThat(this.order.size()).isZero();
	}

}
