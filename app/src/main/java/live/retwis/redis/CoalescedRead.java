package live.retwis.redis;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One read for all who ask at the same time. Who asks while a read is under way gets the
 * answer of the next, which starts when that one ends: nobody gets what was read before
 * he asked, and the store answers once for each round trip, however many ask.
 *
 * @param <T> what is read
 */
public final class CoalescedRead<T> {

	private final Mono<T> source;

	private boolean reading;

	private @Nullable CompletableFuture<T> next;

	/** Reads from there, which has to answer or fail in bounded time. */
	public CoalescedRead(Mono<T> source) {
		this.source = source;
	}

	/** Asks when subscribed. Cancelling leaves the read to the others. */
	public Mono<T> get() {
		return Mono.defer(() -> Mono.fromFuture(ask(), true));
	}

	private CompletableFuture<T> ask() {
		CompletableFuture<T> answer = new CompletableFuture<>();
		synchronized (this) {
			if (this.reading) {
				this.next = (this.next != null) ? this.next : answer;
				return this.next;
			}
			this.reading = true;
		}
		read(answer);
		return answer;
	}

	/** The next read is on its way before the answers of this one are made into pages. */
	private void read(CompletableFuture<T> answer) {
		this.source.toFuture().whenComplete((value, error) -> {
			CompletableFuture<T> waiting;
			synchronized (this) {
				waiting = this.next;
				this.next = null;
				this.reading = waiting != null;
			}
			if (waiting != null) {
				read(waiting);
			}
			if (error != null) {
				answer.completeExceptionally(error);
			}
			else {
				answer.complete(value);
			}
		});
	}

}
