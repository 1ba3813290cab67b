package live.retwis.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Groups the writes of one connection. One WAIT confirms all writes that were sent since
 * the last WAIT.
 */
final class GroupCommit {

	private final int replicas;

	/** Guarded by this. */
	private List<Write> next = new ArrayList<>();

	/** Guarded by this. */
	private boolean inProgress;

	GroupCommit(int replicas) {
		this.replicas = replicas;
	}

	/**
	 * Sends a write as soon as no WAIT is in progress.
	 * @param command sends the write
	 * @param confirmation sends a WAIT on the same connection, which tells how many
	 * replicas have the write
	 * @return the write's answer, once the replicas have the write too;
	 * {@link NotConfirmedException} when too few replicas have it
	 */
	CompletableFuture<List<String>> write(Supplier<? extends CompletionStage<List<String>>> command,
			Supplier<CompletionStage<Long>> confirmation) {
		Write write = new Write(command, confirmation, new CompletableFuture<>());
		synchronized (this) {
			this.next.add(write);
			if (this.inProgress) {
				return write.confirmed();
			}
			this.inProgress = true;
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
				this.inProgress = false;
				return;
			}
		}
		List<CompletableFuture<List<String>>> answers = group.stream().map((write) -> send(write.command())).toList();
		CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
			.handle((all, someError) -> true)
			.thenCompose((sent) -> send(group.get(group.size() - 1).confirmation()))
			.whenComplete((confirmed, error) -> {
				for (int i = 0; i < group.size(); i++) {
					end(group.get(i), answers.get(i), confirmed, error);
				}
				sendNext();
			});
	}

	private static <T> CompletableFuture<T> send(Supplier<? extends CompletionStage<T>> command) {
		try {
			return command.get().toCompletableFuture();
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private void end(Write write, CompletableFuture<List<String>> answer, @Nullable Long confirmed,
			@Nullable Throwable error) {
		answer.whenComplete((value, failure) -> {
			Throwable first = (failure != null) ? failure : error;
			if (first != null) {
				write.confirmed().completeExceptionally(first);
			}
			else if (confirmed == null || confirmed < this.replicas) {
				write.confirmed()
					.completeExceptionally(
							new NotConfirmedException((confirmed != null) ? confirmed : 0, this.replicas));
			}
			else {
				write.confirmed().complete(value);
			}
		});
	}

	private record Write(Supplier<? extends CompletionStage<List<String>>> command,
			Supplier<CompletionStage<Long>> confirmation, CompletableFuture<List<String>> confirmed) {
	}

}
