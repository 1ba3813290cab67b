package live.retwis.archive;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.ToIntFunction;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.pool.PoolMetrics;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcPermissionDeniedException;
import io.r2dbc.spi.R2dbcTransientException;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import io.r2dbc.spi.ValidationDepth;
import live.retwis.redis.Uncancellable;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.r2dbc.connection.SingleConnectionFactory;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;

/**
 * The connections to the archive, and whether it is open. Until {@link ArchiveOpener} has
 * opened it, and whenever it does not answer in time, everything fails with
 * {@link ArchiveAwayException}.
 */
@Component
public class ArchiveDatabase implements DisposableBean {

	/** Longest time for a connection, and for a statement. */
	private static final Duration LONGEST = Duration.ofSeconds(2);

	/**
	 * Longest time for a connection to tell that it is alive. Each one is asked first.
	 */
	private static final Duration LONGEST_VALIDATION = Duration.ofMillis(300);

	/** How long it is not asked again after it did not answer. */
	private static final Duration PAUSE = Duration.ofSeconds(1);

	/** Longest time for statements that no page waits for. */
	private static final Duration LONGEST_IN_BACKGROUND = Duration.ofSeconds(30);

	/** Searches at the same time. */
	private static final int SEARCHES = 2;

	/** Most statements that wait for H2. */
	private static final int WAITING = 10_000;

	private static final String H2 = "h2";

	/** SQL state of a statement that PostgreSQL broke off, because it took too long. */
	private static final String BROKEN_OFF = "57014";

	private final ArchiveProperties properties;

	private final @Nullable ConnectionPool pool;

	private final @Nullable DatabaseClient client;

	/**
	 * Connections for searches in PostgreSQL. A search may read a large part of all
	 * posts, and must not keep others from reading old ones.
	 */
	private final @Nullable ConnectionPool searchPool;

	/** Connections to PostgreSQL whose statements may take as long as they like. */
	private final @Nullable ConnectionFactory patient;

	/**
	 * The driver of H2 blocks, because the database runs in this process. Its work is not
	 * cancelled, because whoever cancels would wait for the end of the statement.
	 */
	private final @Nullable Scheduler blocking;

	private volatile boolean open;

	private volatile boolean up;

	/** When the database is asked again, by {@link System#nanoTime()}. */
	private volatile long askedAgain = System.nanoTime();

	/** When it last answered, by {@link System#nanoTime()}. */
	private volatile long answered = System.nanoTime();

	ArchiveDatabase(ArchiveProperties properties) {
		this.properties = properties;
		if (properties.isUsed()) {
			ConnectionFactoryOptions options = new ArchiveConnectionSettings(properties).options(LONGEST,
					LONGEST_IN_BACKGROUND);
			ConnectionPoolConfiguration.Builder configuration = pool(options, properties.connections());
			if (H2.equals(options.getValue(ConnectionFactoryOptions.DRIVER))) {
				this.blocking = Schedulers.newBoundedElastic(properties.connections(), WAITING, "archive");
				configuration.allocatorSubscribeOn(this.blocking);
				this.searchPool = null;
				this.patient = null;
			}
			else {
				this.blocking = null;
				this.searchPool = new ConnectionPool(
						pool(new ArchiveConnectionSettings(properties).forSearches(LONGEST), SEARCHES).build());
				this.patient = ConnectionFactories.get(new ArchiveConnectionSettings(properties).forLongWork(LONGEST));
			}
			this.pool = new ConnectionPool(configuration.build());
			this.client = DatabaseClient.create(this.pool);
		}
		else {
			this.blocking = null;
			this.pool = null;
			this.searchPool = null;
			this.patient = null;
			this.client = null;
		}
	}

	private static ConnectionPoolConfiguration.Builder pool(ConnectionFactoryOptions options, int most) {
		return ConnectionPoolConfiguration.builder(ConnectionFactories.get(options))
			.initialSize(0)
			.maxSize(most)
			.acquireRetry(most)
			.validationDepth(ValidationDepth.REMOTE)
			.maxValidationTime(LONGEST_VALIDATION)
			.maxCreateConnectionTime(LONGEST);
	}

	/** Whether there is an archive. */
	public boolean isUsed() {
		return this.properties.isUsed();
	}

	/** Whether it was opened. It may be away again. */
	public boolean isOpen() {
		return this.open;
	}

	/** Whether the database is PostgreSQL, which can do more than H2. */
	boolean isPostgres() {
		return this.blocking == null;
	}

	/** Whether there is an archive that finds posts by their words. */
	boolean hasWords() {
		return isUsed() && isPostgres();
	}

	/** Whether its last answer came in time. */
	boolean isUp() {
		return this.up;
	}

	/** Connections that are in use now; 0 without an archive. */
	int connectionsInUse(Use use) {
		return metrics(use, PoolMetrics::acquiredSize);
	}

	/** Requests that wait for a connection now; 0 without an archive. */
	int connectionsAwaited(Use use) {
		return metrics(use, PoolMetrics::pendingAcquireSize);
	}

	private int metrics(Use use, ToIntFunction<PoolMetrics> value) {
		return Optional.ofNullable((use == Use.SEARCH) ? this.searchPool : this.pool)
			.flatMap(ConnectionPool::getMetrics)
			.map(value::applyAsInt)
			.orElse(0);
	}

	void opened() {
		this.open = true;
	}

	/**
	 * Work that a page or a worker waits for. When the database does not answer, the next
	 * ones do not wait for it. So a page that asks several times waits once. A late
	 * failure of older work does not count once the database has answered again.
	 */
	public <T> Mono<T> read(Function<DatabaseClient, Mono<T>> work) {
		return PageTimeLimit.within(Mono.defer(() -> {
			long begun = System.nanoTime();
			return (this.open && begun - this.askedAgain >= 0)
					? run(work, LONGEST).doOnError(ArchiveAwayException.class, (away) -> pause(begun)) : away();
		}));
	}

	private void pause(long begun) {
		if (this.answered - begun < 0) {
			this.askedAgain = System.nanoTime() + PAUSE.toNanos();
		}
	}

	/**
	 * A search. The database breaks it off when it takes too long, and few are made at
	 * the same time. That one is late says nothing about other work. Fails with
	 * {@link ArchiveSearchTooSlowException} when it does not end in time.
	 */
	<T> Mono<T> search(Function<DatabaseClient, Mono<T>> work) {
		ConnectionPool connections = this.searchPool;
		return (!this.open || connections == null || System.nanoTime() - this.askedAgain < 0) ? away()
				: PageTimeLimit.within(Mono.defer(() -> work.apply(DatabaseClient.create(connections)))
					.onErrorMap(ArchiveDatabase::isAway, ArchiveAwayException::new)
					.timeout(LONGEST, Mono.error(ArchiveSearchTooSlowException::new)));
	}

	/** Work that no page waits for. */
	public <T> Mono<T> inBackground(Function<DatabaseClient, Mono<T>> work) {
		return this.open ? run(work, LONGEST_IN_BACKGROUND) : away();
	}

	/**
	 * Work on PostgreSQL that may take hours, with a connection of its own.
	 */
	Mono<Void> atLength(Function<DatabaseClient, Mono<Void>> work) {
		ConnectionFactory connections = this.patient;
		if (connections == null) {
			return Mono.error(() -> new IllegalStateException("there is no archive in PostgreSQL"));
		}
		return Mono.usingWhen(connections.create(),
				(connection) -> work.apply(DatabaseClient
					.create(new SingleConnectionFactory(connection, connections.getMetadata(), true))),
				Connection::close);
	}

	/**
	 * On H2, syncs its file, which a commit does not. Then what was committed is there
	 * also after a power cut. Redis forgets afterwards that it was to be done.
	 */
	Mono<Void> sync() {
		return isPostgres() ? Mono.empty()
				: run((client) -> client.sql("checkpoint sync").then(), LONGEST_IN_BACKGROUND);
	}

	/**
	 * The ms of the clock by which the database tells whether a write comes too late.
	 */
	Mono<Long> clock() {
		return inBackground(
				(client) -> client.sql("select cast(floor(extract(epoch from current_timestamp) * 1000) as bigint)")
					.map((row) -> row.get(0, Long.class))
					.one());
	}

	/** The same before the archive is open. */
	<T> Mono<T> toOpen(Function<DatabaseClient, Mono<T>> work) {
		return run(work, LONGEST);
	}

	private static <T> Mono<T> away() {
		return Mono.error(() -> new ArchiveAwayException("The archive of old posts is not open"));
	}

	private <T> Mono<T> run(Function<DatabaseClient, Mono<T>> work, Duration longest) {
		DatabaseClient connected = this.client;
		if (connected == null) {
			return Mono.error(() -> new IllegalStateException("there is no archive"));
		}
		Mono<T> result = Mono.defer(() -> work.apply(connected));
		Scheduler own = this.blocking;
		return ((own != null) ? Uncancellable.of(result.subscribeOn(own)).publishOn(Schedulers.parallel()) : result)
			.timeout(longest)
			.onErrorMap(ArchiveDatabase::isAway, ArchiveAwayException::new)
			.doOnSuccess((answer) -> {
				this.up = true;
				this.answered = System.nanoTime();
			})
			.doOnError(ArchiveAwayException.class, (away) -> this.up = false);
	}

	/** Runs a statement. Tells how many rows it has changed. */
	static Flux<Long> updated(Statement statement) {
		return Flux.from(statement.execute()).concatMap(Result::getRowsUpdated);
	}

	/**
	 * A transaction of H2, which runs on this machine. It is rolled back when the work
	 * fails or is cancelled, or when it ends too late.
	 * @param deadline ms of this machine's clock, after which nothing is stored
	 */
	static <T> Mono<T> inTransaction(DatabaseClient client, long deadline,
			Function<Connection, Publisher<T>> statements) {
		return client.inConnection((connection) -> Mono.from(connection.beginTransaction())
			.then(Flux.from(statements.apply(connection)).last())
			.delayUntil((done) -> (System.currentTimeMillis() < deadline) ? connection.commitTransaction()
					: connection.rollbackTransaction())
			.onErrorResume(
					(error) -> Mono.from(connection.rollbackTransaction()).onErrorComplete().then(Mono.error(error))));
	}

	static boolean isAway(Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (cause instanceof TimeoutException || cause instanceof IOException
					|| cause instanceof R2dbcNonTransientResourceException || cause instanceof R2dbcTransientException
					|| cause instanceof R2dbcPermissionDeniedException || cause instanceof RejectedExecutionException
					|| cause instanceof DataAccessResourceFailureException || cause instanceof QueryTimeoutException) {
				return true;
			}
		}
		return false;
	}

	/** Whether the database was asked, and has not answered in time. */
	static boolean isTooSlow(Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (cause instanceof TimeoutException || cause instanceof QueryTimeoutException
					|| (cause instanceof R2dbcException refused && BROKEN_OFF.equals(refused.getSqlState()))) {
				return true;
			}
		}
		return false;
	}

	@Override
	public void destroy() {
		if (this.pool != null) {
			this.pool.dispose();
		}
		if (this.searchPool != null) {
			this.searchPool.dispose();
		}
		if (this.blocking != null) {
			this.blocking.dispose();
		}
	}

	/** What connections are for. Searches have their own, everything else shares some. */
	enum Use {

		PAGES, SEARCH

	}

}
