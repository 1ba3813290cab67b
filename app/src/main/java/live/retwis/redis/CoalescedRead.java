package live.retwis.redis;

import java.util.concurrent.CompletableFuture;

import live.retwis.redis.CommandTracing.Traced;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Shares one read among all callers that ask at the same time. A caller that asks while a
 * read is in progress gets the answer of the next read, which starts when the current one
 * ends. So no caller gets data that was read before the call. The store answers once per
 * round trip, however many callers there are.
 *
 * @param <T> the type of the answer
 */
public final class CoalescedRead<T> {

	private final Mono<T> source;

	private boolean reading;

	private @Nullable CompletableFuture<T> next;

	/** The recorder of the request that was the first to ask for the next read. */
	private @Nullable Traced nextAsker;

	/**
	 * Creates a shared read.
	 * @param source performs one read; it must answer or fail in bounded time
	 */
	public CoalescedRead(Mono<T> source) {
		this.source = source;
	}

	/** Asks when subscribed. Cancelling does not stop the read for other callers. */
	public Mono<T> get() {
		return CommandRecorderContext.fromFuture(this::ask);
	}

	private CompletableFuture<T> ask() {
		CompletableFuture<T> answer = new CompletableFuture<>();
		synchronized (this) {
			if (this.reading) {
				if (this.next == null) {
					this.next = answer;
					this.nextAsker = CommandRecorderContext.current();
				}
				return this.next;
			}
			this.reading = true;
		}
		read(answer);
		return answer;
	}

	/**
	 * Reads once. The next read is sent before this answer goes to its callers, so that
	 * it travels while they render their pages.
	 */
	private void read(CompletableFuture<T> answer) {
		CommandRecorderContext.toFuture(this.source).whenComplete((value, error) -> {
			CompletableFuture<T> waiting;
			Traced asker;
			synchronized (this) {
				waiting = this.next;
				asker = this.nextAsker;
				this.next = null;
				this.nextAsker = null;
				this.reading = waiting != null;
			}
			if (waiting != null) {
				CommandRecorderContext.within(asker, () -> {
					read(waiting);
					return waiting;
				});
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
