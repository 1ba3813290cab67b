package live.retwis.account;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import org.jspecify.annotations.Nullable;

/**
 * Does work on few threads, for many clients. Trusted clients go first, but every fourth
 * turn is one of the others. Among both, the next turn goes to the client that had the
 * fewest turns in the last minute, and then to the one that waits longest. So a client
 * that asks for much waits for itself and not at the expense of others. What waits is
 * bounded, for each client and in all. When too much waits in all, a trusted client takes
 * the place of one that is not, and a client with less that of the one with the most.
 */
final class FairTurns {

	private static final Duration MEMORY = Duration.ofMinutes(1);

	private static final int MOST_CLIENTS = 10_000;

	/** One turn of so many goes to a client that is not trusted. */
	private static final int TURNS_OF_OTHERS = 4;

	private final Executor threads;

	private final int atOnce;

	private final int mostOfClient;

	private final int most;

	/** Turns of each client since its first one, which is at most a minute ago. */
	private final Cache<Client, Integer> turns = Caffeine.newBuilder()
		.expireAfter(Expiry.<Client, Integer>creating((client, turns) -> MEMORY))
		.maximumSize(MOST_CLIENTS)
		.build();

	/** What waits for each client. The client that waits longest comes first. */
	private final Map<Client, Deque<Work<?>>> waiting = new LinkedHashMap<>();

	private int size;

	private int running;

	private int begun;

	/**
	 * Creates turns without clients.
	 * @param threads run the work
	 * @param atOnce how much work runs at the same time
	 * @param mostOfClient how much work waits for one client
	 * @param most how much work waits for all clients
	 */
	FairTurns(Executor threads, int atOnce, int mostOfClient, int most) {
		this.threads = threads;
		this.atOnce = atOnce;
		this.mostOfClient = mostOfClient;
		this.most = most;
	}

	/**
	 * Does the work when it is the client's turn. Cancelling takes it out of the queue.
	 * @return the result; {@link RejectedExecutionException} when too much waits already
	 */
	<T> CompletableFuture<T> run(Client client, Callable<T> callable) {
		Work<T> work = new Work<>(client, callable);
		Work<?> refused = offer(work);
		if (refused != null) {
			refused.result.completeExceptionally(new RejectedExecutionException("too much waits"));
		}
		if (refused == work) {
			return work.result;
		}
		work.result.whenComplete((value, error) -> {
			if (work.result.isCancelled()) {
				leave(work);
			}
		});
		next();
		return work.result;
	}

	/**
	 * Adds the work to the queue.
	 * @return the work that has no place: this one, or one that another client was
	 * waiting for; null if there is room
	 */
	private synchronized @Nullable Work<?> offer(Work<?> work) {
		Deque<Work<?>> mine = this.waiting.getOrDefault(work.client, new ArrayDeque<>());
		if (mine.size() >= this.mostOfClient && !work.client.address().isEmpty()) {
			return work;
		}
		Work<?> other = null;
		if (this.size == this.most) {
			Client loser = whoGivesWay(work.client, mine.size());
			if (loser == null) {
				return work;
			}
			Deque<Work<?>> others = Objects.requireNonNull(this.waiting.get(loser));
			other = others.removeLast();
			this.size--;
			if (others.isEmpty()) {
				this.waiting.remove(loser);
			}
		}
		mine.add(work);
		this.waiting.put(work.client, mine);
		this.size++;
		return other;
	}

	/**
	 * The client that loses its last place to another one.
	 * @param waiting how much of the other one waits already
	 * @return null for none
	 */
	private @Nullable Client whoGivesWay(Client asking, int waiting) {
		Comparator<Client> bySize = Comparator
			.comparingInt((client) -> Objects.requireNonNull(this.waiting.get(client)).size());
		return this.waiting.keySet()
			.stream()
			.filter((client) -> asking.trusted() && !client.trusted())
			.max(bySize)
			.or(() -> this.waiting.keySet()
				.stream()
				.max(bySize)
				.filter((client) -> Objects.requireNonNull(this.waiting.get(client)).size() >= waiting + 2))
			.orElse(null);
	}

	private synchronized void leave(Work<?> work) {
		Deque<Work<?>> mine = this.waiting.get(work.client);
		if (mine != null && mine.remove(work)) {
			this.size--;
			if (mine.isEmpty()) {
				this.waiting.remove(work.client);
			}
		}
	}

	private void next() {
		Work<?> work = begin();
		if (work != null) {
			this.threads.execute(() -> {
				try {
					work.run();
				}
				finally {
					end();
					next();
				}
			});
		}
	}

	private synchronized @Nullable Work<?> begin() {
		if (this.size == 0 || this.running == this.atOnce) {
			return null;
		}
		boolean turnOfOthers = ++this.begun % TURNS_OF_OTHERS == 0;
		Client client = Collections.min(this.waiting.keySet(),
				Comparator.<Client, Boolean>comparing((one) -> one.trusted() == turnOfOthers)
					.thenComparingInt(this::turnsOf));
		Deque<Work<?>> mine = Objects.requireNonNull(this.waiting.remove(client));
		Work<?> work = mine.remove();
		if (!mine.isEmpty()) {
			this.waiting.put(client, mine);
		}
		this.turns.put(client, turnsOf(client) + 1);
		this.size--;
		this.running++;
		return work;
	}

	private int turnsOf(Client client) {
		Integer known = this.turns.getIfPresent(client);
		return (known != null) ? known : 0;
	}

	private synchronized void end() {
		this.running--;
	}

	/**
	 * Who asks.
	 *
	 * @param address empty for work that is not a client's
	 * @param trusted whether it goes before others
	 */
	record Client(String address, boolean trusted) {
	}

	private static final class Work<T> {

		private final Client client;

		private final Callable<T> callable;

		private final CompletableFuture<T> result = new CompletableFuture<>();

		Work(Client client, Callable<T> callable) {
			this.client = client;
			this.callable = callable;
		}

		void run() {
			if (this.result.isDone()) {
				return;
			}
			try {
				this.result.complete(this.callable.call());
			}
			catch (Throwable ex) {
				this.result.completeExceptionally(ex);
			}
		}

	}

}
