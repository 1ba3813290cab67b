package live.retwis.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;

/**
 * Groups the writes of one connection. One WAIT confirms all writes that were sent since
 * the last WAIT.
 */
final class GroupCommit {

	private final int replicas;

	private final long timeoutMillis;

	/** Guarded by this. */
	private List<Write> next = new ArrayList<>();

	/** Guarded by this. */
	private boolean underWay;

	GroupCommit(int replicas, Duration timeout) {
		this.replicas = replicas;
		this.timeoutMillis = timeout.toMillis();
	}

	/**
	 * Sends a write as soon as no WAIT is in progress.
	 * @return the write's answer, once the replicas have the write too;
	 * {@link NotConfirmed} when too few replicas have it
	 */
	CompletableFuture<List<String>> write(RedisClusterAsyncCommands<String, String> commands,
			Function<RedisClusterAsyncCommands<String, String>, CompletionStage<List<String>>> command) {
		Write write = new Write(commands, command, new CompletableFuture<>());
		synchronized (this) {
			this.next.add(write);
			if (this.underWay) {
				return write.confirmed();
			}
			this.underWay = true;
		}
		sendNext();
		return write.confirmed();
	}

	private void sendNext() {
		List<Write> group;
		synchronized (this) {
			group = this.next;
			this.next = new ArrayList<>();
			if (group.isEmpty()) {
				this.underWay = false;
				return;
			}
		}
		List<CompletableFuture<List<String>>> answers = group.stream().map(Write::send).toList();
		CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
			.handle((all, someError) -> true)
			.thenCompose((sent) -> confirm(group.get(group.size() - 1).commands()))
			.whenComplete((confirmed, error) -> {
				for (int i = 0; i < group.size(); i++) {
					group.get(i).end(answers.get(i), confirmed, error, this.replicas);
				}
				sendNext();
			});
	}

	private CompletionStage<Long> confirm(RedisClusterAsyncCommands<String, String> commands) {
		try {
			return commands.waitForReplication(this.replicas, this.timeoutMillis);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private record Write(RedisClusterAsyncCommands<String, String> commands,
			Function<RedisClusterAsyncCommands<String, String>, CompletionStage<List<String>>> command,
			CompletableFuture<List<String>> confirmed) {

		CompletableFuture<List<String>> send() {
			try {
				return this.command.apply(this.commands).toCompletableFuture();
			}
			catch (RuntimeException ex) {
				return CompletableFuture.failedFuture(ex);
			}
		}

		void end(CompletableFuture<List<String>> answer, @Nullable Long replicas, @Nullable Throwable error,
				int wanted) {
			answer.whenComplete((value, failure) -> {
				Throwable first = (failure != null) ? failure : error;
				if (first != null) {
					this.confirmed.completeExceptionally(first);
				}
				else if (replicas == null || replicas < wanted) {
					this.confirmed.completeExceptionally(new NotConfirmed((replicas != null) ? replicas : 0, wanted));
				}
				else {
					this.confirmed.complete(value);
				}
			});
		}

	}

}
