package live.retwis.archive;

import java.time.Duration;
import java.util.List;

import live.retwis.background.PeriodicTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;

/**
 * Makes the indexes on PostgreSQL that were added when archives had posts already. That
 * may take hours, so posts are read and written meanwhile. One instance at a time does
 * it. An index that broke off is made anew.
 */
@Component
@ConditionalOnProperty(name = "retwis.fan-out.worker", matchIfMissing = true)
class ArchiveIndexMaker extends PeriodicTask {

	private static final Logger log = LoggerFactory.getLogger(ArchiveIndexMaker.class);

	private static final Duration TRIED_EVERY = Duration.ofSeconds(10);

	/** How long it waits after a failure: the disk may be full. */
	private static final Duration PAUSE = Duration.ofMinutes(10);

	private static final List<Index> INDEXES = List.of(new Index("posts_by_time", "posts (committed desc, id desc)"),
			new Index("young_posts_by_time", "young_words (committed desc, id desc)"),
			new Index("pulled_posts_of_author", "posts (author, committed desc, id desc) where pulled"));

	/**
	 * Held until the connection ends. Nobody waits for it, because the database waits for
	 * whoever waits before it ends an index.
	 */
	private static final String LOCK = "select pg_try_advisory_lock('posts'::regclass::oid::bigint)";

	private final ArchiveDatabase database;

	private volatile boolean complete;

	ArchiveIndexMaker(ArchiveDatabase database) {
		super(TRIED_EVERY);
		this.database = database;
	}

	@Override
	public void start() {
		if (this.database.isUsed() && this.database.isPostgres()) {
			super.start();
		}
	}

	@Override
	protected Mono<Void> run() {
		return (this.complete || !this.database.isOpen()) ? Mono.empty()
				: this.database.atLength(this::makeAll).onErrorResume((error) -> {
					log.warn("The archive of old posts lacks an index. It is tried again later: {}",
							error.getMessage());
					return Mono.delay(PAUSE).then();
				});
	}

	private Mono<Void> makeAll(DatabaseClient client) {
		return client.sql(LOCK)
			.map((row) -> row.get(0, Boolean.class))
			.one()
			.filter(Boolean.TRUE::equals)
			.flatMap((locked) -> Flux.fromIterable(INDEXES)
				.concatMap((index) -> index.isMade(client)
					.flatMap((made) -> made ? Mono.<Void>empty() : make(client, index)))
				.then(Mono.fromRunnable(() -> this.complete = true)));
	}

	/** One that broke off is there, but not used. */
	private static Mono<Void> make(DatabaseClient client, Index index) {
		log.info("The archive of old posts gets the index {}", index.name());
		return client.sql("drop index concurrently if exists " + index.name())
			.then()
			.then(client.sql("create index concurrently " + index.name() + " on " + index.on()).then())
			.doOnSuccess((done) -> log.info("The archive of old posts has the index {}", index.name()));
	}

	/**
	 * An index.
	 *
	 * @param on its table and what it sorts, in SQL
	 */
	private record Index(String name, String on) {

		Mono<Boolean> isMade(DatabaseClient client) {
			return client.sql("select 1 from pg_index where indexrelid = to_regclass(:name) and indisvalid")
				.bind("name", this.name)
				.fetch()
				.first()
				.hasElement();
		}

	}

}
