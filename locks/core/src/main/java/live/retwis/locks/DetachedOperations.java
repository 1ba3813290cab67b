package live.retwis.locks;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import reactor.core.publisher.Mono;

/**
 * Rounds of votes and releases that go on without their caller. The node time-outs bound
 * each of them.
 */
final class DetachedOperations {

	private final Set<CompletableFuture<?>> running = ConcurrentHashMap.newKeySet();

	void add(CompletableFuture<?> operation) {
		this.running.add(operation);
		operation.whenComplete((result, error) -> this.running.remove(operation));
	}

	int size() {
		return this.running.size();
	}

	/** Done when all of them have ended, or after the longest wait. */
	Mono<Void> ended(Duration longest) {
		return Mono.defer(() -> {
			CompletableFuture<Void> all = CompletableFuture.allOf(this.running.toArray(CompletableFuture<?>[]::new));
			return Mono.fromFuture(all, true).timeout(longest, Mono.empty()).onErrorComplete();
		});
	}

}
