package live.retwis.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

class BulkCacheReadsTests {

	private static final Duration BOUND = Duration.ofSeconds(5);

	/** The loads that have begun, by key. */
	private final Map<String, CompletableFuture<String>> loads = new ConcurrentHashMap<>();

	private final AsyncLoadingCache<String, String> cache = Caffeine.newBuilder().buildAsync((key, executor) -> {
		CompletableFuture<String> load = new CompletableFuture<>();
		this.loads.put(key, load);
		return load;
	});

	private Mono<List<String>> all(String... keys) {
		return BulkCacheReads.all(this.cache, List.of(keys));
	}

	private CompletableFuture<String> load(String key) {
		assertThat(this.loads).containsKey(key);
		return this.loads.getOrDefault(key, new CompletableFuture<>());
	}

	@Test
	void valuesAreInTheOrderOfTheirKeysAndLoadedTogether() {
		StepVerifier.create(all("b", "a")).then(() -> {
			load("a").complete("of a");
			load("b").complete("of b");
		}).expectNext(List.of("of b", "of a")).expectComplete().verify(BOUND);
	}

	@Test
	void valuesInTheCacheAreNotLoadedAgain() {
		this.cache.put("a", CompletableFuture.completedFuture("known"));
		StepVerifier.create(all("a")).expectNext(List.of("known")).expectComplete().verify(BOUND);
		assertThat(this.loads).isEmpty();
	}

	@Test
	void nothingIsLoadedBeforeSomebodyAsks() {
		Mono<List<String>> unasked = all("a");
		assertThat(this.loads).isEmpty();
		unasked.subscribe();
		assertThat(this.loads).containsOnlyKeys("a");
	}

	@Test
	void keysWithoutAValueAreLeftOut() {
		StepVerifier.create(all("a", "b")).then(() -> {
			load("a").complete(null);
			load("b").complete("of b");
		}).expectNext(List.of("of b")).expectComplete().verify(BOUND);
	}

	@Test
	void noKeysHaveNoValues() {
		StepVerifier.create(all()).expectNext(List.of()).expectComplete().verify(BOUND);
	}

	@Test
	void aFailedLoadFailsTheRead() {
		StepVerifier.create(all("a", "b")).then(() -> {
			load("a").complete("of a");
			load("b").completeExceptionally(new IllegalStateException("away"));
		}).expectErrorMessage("away").verify(BOUND);
	}

	@Test
	void cancellingDoesNotStopLoadsThatOthersWaitFor() {
		CompletableFuture<List<String>> other = all("a").toFuture();
		StepVerifier.create(all("a")).expectSubscription().thenCancel().verify(BOUND);
		assertThat(load("a")).isNotCancelled();
		load("a").complete("of a");
		assertThat(other).isCompletedWithValue(List.of("of a"));
	}

}
