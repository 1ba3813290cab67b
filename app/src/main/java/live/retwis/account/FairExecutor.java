package live.retwis.account;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;

/**
 * Does work on few threads, for many clients. The next turn goes to the client that had
 * the fewest turns lately, and then to the one that waits longest. So a client that asks
 * for much waits for itself and not at the expense of others. A turn counts less the
 * longer ago it was, a half after 30 s. Counts that began anew each minute would let all
 * who ask for much go first again each minute.
 * <p>
 * What waits is bounded, for each client and in all. When too much waits in all, a client
 * with less takes the place of the one with the most, and a client of which nothing waits
 * takes the place of one that had many more turns.
 */
final class FairExecutor {

	private static final Duration HALF_LIFE = Duration.ofSeconds(30);

	/** Then even a turn every second counts no more. */
	private static final Duration MEMORY = HALF_LIFE.multipliedBy(8);

	private static final int MOST_CLIENTS = 10_000;

	/** A client with this many more turns than another loses its place to it. */
	private static final int MANY_TURNS = 3;

	private final Executor threads;

	private final int atOnce;

	private final int mostOfClient;

	private final int most;

	private final LongSupplier nanoClock;

	/** Turns of each client. */
	private final Cache<String, Turns> turns = Caffeine.newBuilder()
		.expireAfterWrite(MEMORY)
		.maximumSize(MOST_CLIENTS)
		.build();

	/** What waits for each client. The client that waits longest comes first. */
	private final Map<String, Deque<Work<?>>> waiting = new LinkedHashMap<>();

	private int size;

	private int running;

	/**
	 * Creates turns without clients.
	 * @param threads run the work
	 * @param atOnce how much work runs at the same time
	 * @param mostOfClient how much work waits for one client
	 * @param most how much work waits for all clients
	 */
	FairExecutor(Executor threads, int atOnce, int mostOfClient, int most) {
		this(threads, atOnce, mostOfClient, most, System::nanoTime);
	}

	/** Creates turns with another clock. */
	FairExecutor(Executor threads, int atOnce, int mostOfClient, int most, LongSupplier nanoClock) {
		this.threads = threads;
		this.atOnce = atOnce;
		this.mostOfClient = mostOfClient;
		this.most = most;
		this.nanoClock = nanoClock;
	}

	/**
	 * The turns of a client, each counted by how long ago it was.
	 *
	 * @param count how many they were after the last one
	 * @param at when that was, in ns
	 */
	private record Turns(double count, long at) {

		double countAt(long now) {
			return this.count * Math.pow(0.5, (double) (now - this.at) / HALF_LIFE.toNanos());
		}

	}

	/**
	 * Does the work when it is the client's turn. Cancelling takes it out of the queue.
	 * @param client its address; empty for work that is not a client's, which is bounded
	 * with all other work only
	 * @return the result; {@link RejectedExecutionException} when too much waits already
	 */
	<T> CompletableFuture<T> run(String client, Callable<T> callable) {
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
		if (mine.size() >= this.mostOfClient && !work.client.isEmpty()) {
			return work;
		}
		Work<?> other = null;
		if (this.size == this.most) {
			String loser = whoGivesWay(work.client, mine.size());
			if (loser == null) {
				return work;
			}
			Deque<Work<?>> others = Objects.requireNonNull(this.waiting.get(loser));
			other = others.removeLast();
			this.size--;
			// Without it, a client could take place after place by leaving each time.
			countTurn(work.client);
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
	 * Finds the client that loses its last place to another one: the one with the most
	 * places, or else the one with the most turns.
	 * @param other the client that needs a place
	 * @param waiting how many places that client has already
	 * @return null when no client has so much more that it has to give way
	 */
	private @Nullable String whoGivesWay(String other, int waiting) {
		return most(this::waitingOf).filter((client) -> waitingOf(client) >= waiting + 2)
			.or(() -> most(this::turnsOf).filter(
					(client) -> waiting == 0 && !client.isEmpty() && turnsOf(client) >= turnsOf(other) + MANY_TURNS))
			.orElse(null);
	}

	private Optional<String> most(ToLongFunction<String> number) {
		return this.waiting.keySet().stream().max(Comparator.comparingLong(number));
	}

	private int waitingOf(String client) {
		return Objects.requireNonNull(this.waiting.get(client)).size();
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
		String client = Collections.min(this.waiting.keySet(), Comparator.comparingLong(this::turnsOf));
		Deque<Work<?>> mine = Objects.requireNonNull(this.waiting.remove(client));
		Work<?> work = mine.remove();
		if (!mine.isEmpty()) {
			this.waiting.put(client, mine);
		}
		countTurn(client);
		this.size--;
		this.running++;
		return work;
	}

	private void countTurn(String client) {
		long now = this.nanoClock.getAsLong();
		Turns before = this.turns.getIfPresent(client);
		this.turns.put(client, new Turns(1 + ((before != null) ? before.countAt(now) : 0), now));
	}

	/** In whole turns, so that a single one is forgotten after half a minute. */
	private long turnsOf(String client) {
		Turns known = this.turns.getIfPresent(client);
		return (known != null) ? Math.round(known.countAt(this.nanoClock.getAsLong())) : 0;
	}

	private synchronized void end() {
		this.running--;
	}

	private static final class Work<T> {

		private final String client;

		private final Callable<T> callable;

		private final CompletableFuture<T> result = new CompletableFuture<>();

		Work(String client, Callable<T> callable) {
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
