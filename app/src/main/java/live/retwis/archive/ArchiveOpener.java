package live.retwis.archive;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import live.retwis.background.PeriodicTask;
import live.retwis.redis.Keys;
import live.retwis.redis.RandomTokens;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.redis.Uncancellable;
import live.retwis.startup.StartupException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Opens the archive before the instance serves anything: makes its tables, and checks
 * that it belongs to this site. An archive that is away at the start is opened as soon as
 * it is there. Anything else that is wrong with it keeps the instance from starting.
 */
@Component
public class ArchiveOpener extends PeriodicTask {

	private static final Logger log = LoggerFactory.getLogger(ArchiveOpener.class);

	private static final Duration TRIED_EVERY = Duration.ofSeconds(2);

	/** Longest wait at the start. */
	private static final Duration LONGEST = Duration.ofMinutes(2);

	/** Longest time to find out whether the tables have to change. */
	private static final Duration LONGEST_LOOK = Duration.ofMinutes(1);

	private static final int SITE_BITS = 128;

	/** Begins the text in Redis until the archive has it, too. */
	private static final String PENDING = "new:";

	/** Begins the text in Redis until all that the archive has is restored. */
	static final String RESTORING = "restoring:";

	/** Classes of SQL states that say that the database cannot serve now. */
	private static final String CONNECTION_FAILED = "08";

	private static final String OUT_OF_RESOURCES = "53";

	private static final String SERVER_STOPS_OR_STARTS = "57P";

	/** Another instance is just opening the file of H2. */
	private static final String FILE_IN_USE = "90020";

	/** The instance that had the file of H2 open, and served it to others, has ended. */
	private static final String SERVER_OF_FILE_GONE = "90067";

	private final ArchiveDatabase database;

	private final ArchiveProperties properties;

	private final ReactiveStringRedisTemplate redis;

	private volatile String told = "";

	ArchiveOpener(ArchiveDatabase database, ArchiveProperties properties, ReactiveStringRedisTemplate redis) {
		super(TRIED_EVERY);
		this.database = database;
		this.properties = properties;
		this.redis = redis;
	}

	/**
	 * Blocks the thread that starts the instance. Without an archive, too, nothing starts
	 * while a restore has not ended.
	 */
	@Override
	public void start() {
		(this.database.isUsed() ? open() : siteOfRedis().onErrorComplete(RedisErrorClassifier::isAway).then())
			.timeout(LONGEST)
			.thenReturn(Optional.<Throwable>empty())
			.onErrorResume((problem) -> Mono.just(Optional.of(problem)))
			.toFuture()
			.join()
			.ifPresent(this::judge);
		if (this.database.isUsed()) {
			super.start();
		}
	}

	private void judge(Throwable problem) {
		if (problem instanceof StartupException known) {
			throw known;
		}
		log.warn("{}: {}",
				this.database.isUsed() ? "The archive of old posts is away, and is opened as soon as it is there"
						: "Redis does not say whether a restore has ended",
				NestedExceptionUtils.getMostSpecificCause(problem).getMessage());
	}

	/** Also asks an archive that is open, so that health and metrics know. */
	@Override
	protected Mono<Void> run() {
		return this.database.isOpen() ? this.database.read((client) -> client.sql("select 1").fetch().first()).then()
				: open().doOnSuccess((done) -> log.info("The archive of old posts is there"))
					.doOnError(StartupException.class, this::tell);
	}

	/** Logs what keeps the archive closed, once. */
	private void tell(StartupException problem) {
		String text = String.valueOf(problem.getMessage());
		if (!text.equals(this.told)) {
			this.told = text;
			log.error(text);
		}
	}

	/** Redis comes first: it knows of a restore that broke off when the archive went. */
	private Mono<Void> open() {
		return siteOfRedis()
			.then(Uncancellable
				.of(Mono.fromRunnable(() -> migrate(this.properties, this.database.isPostgres(), LONGEST_LOOK))
					.subscribeOn(Schedulers.boundedElastic()))
				.onErrorMap(FlywayException.class, ArchiveOpener::explained))
			.then(Mono.defer(this::checkSite))
			.doOnSuccess((done) -> this.database.opened());
	}

	/**
	 * Makes or changes the tables, which may take hours when there are many posts.
	 * Instances that start at the same time take turns.
	 * @param longestLook how long it may take to find out whether there is anything to do
	 */
	static void migrate(ArchiveProperties properties, boolean postgres, Duration longestLook) {
		Flyway look = migrations(properties, postgres, longestLook).load();
		boolean current = look.info().pending().length == 0;
		(current ? look : migrations(properties, postgres, Duration.ZERO).load()).migrate();
	}

	/**
	 * How the tables of the archive are made that the settings name. Two versions are no
	 * more: an archive may have gone through them or not.
	 * @param longest how long each statement may take; zero for as long as it likes
	 */
	static FluentConfiguration migrations(ArchiveProperties properties, boolean postgres, Duration longest) {
		return Flyway.configure()
			.dataSource(new ArchiveConnectionSettings(properties).jdbc(longest), properties.username(),
					properties.password())
			.locations(postgres ? new String[] { "classpath:db/archive", "classpath:db/archive-postgresql" }
					: new String[] { "classpath:db/archive" })
			.table("archive_history")
			.lockRetryCount(-1)
			.placeholders(Map.of("binary", postgres ? "collate \"C\"" : ""))
			.ignoreMigrationPatterns("versioned:missing");
	}

	static Throwable explained(FlywayException error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException sql) {
				String state = String.valueOf(sql.getSQLState());
				if (Stream
					.of(CONNECTION_FAILED, OUT_OF_RESOURCES, SERVER_STOPS_OR_STARTS, FILE_IN_USE, SERVER_OF_FILE_GONE)
					.anyMatch(state::startsWith)) {
					return new ArchiveAwayException(sql);
				}
				return new StartupException("The archive of old posts cannot be opened: " + sql.getMessage(),
						"Check retwis.archive.url, retwis.archive.username and retwis.archive.password. "
								+ "The user must be allowed to create tables and to write them.");
			}
		}
		return new StartupException(
				"The tables of the archive of old posts are not those of this release: "
						+ String.valueOf(error.getMessage()).lines().findFirst().orElse(""),
				"If a newer release has written them, run that release. Else set retwis.archive.url to another database.");
	}

	/**
	 * The site and its archive have the same random text. The first instance writes it,
	 * into Redis first. So it is read there last: another instance may just be writing
	 * it.
	 */
	private Mono<Void> checkSite() {
		return siteOfArchive().zipWhen((archive) -> siteOfRedis(), this::compareSites).flatMap(Function.identity());
	}

	/**
	 * Compares the texts.
	 * @param archive that of the archive; empty when it has none
	 * @param redis that of Redis; empty when it has none
	 */
	private Mono<Void> compareSites(String archive, String redis) {
		boolean pending = redis.startsWith(PENDING);
		String site = confirmed(redis);
		if (archive.isEmpty()) {
			return (redis.isEmpty() || pending) ? mark(pending ? site : RandomTokens.ofBits(SITE_BITS))
					: siteOfArchive().flatMap(
							(now) -> now.isEmpty() ? Mono.error(ArchiveOpener::emptied) : compareSites(now, redis));
		}
		if (redis.isEmpty() && this.properties.restore()) {
			return confirm(RESTORING + archive);
		}
		if (confirmed(archive).equals(site)) {
			if (this.properties.restore() && !redis.startsWith(RESTORING)) {
				return Mono.error(ArchiveOpener::nothingLost);
			}
			return pending ? confirm(site) : Mono.empty();
		}
		return Mono.error(new StartupException(
				redis.isEmpty() ? "The archive of old posts has posts of a site, but Redis is empty."
						: "The archive of old posts that retwis.archive.url names belongs to another site.",
				redis.isEmpty()
						? "If Redis has lost its data, restore its backup. Without a backup run the command "
								+ "restore-from-archive. For a new site, set retwis.archive.url to an empty database."
						: "Set retwis.archive.url to the archive of this site."));
	}

	/** Counts, lists and likes of old posts that changed since then would be lost. */
	private static StartupException nothingLost() {
		return new StartupException("Redis has not lost its data, so nothing is restored from the archive.",
				"If it has lost a part, restore its backup. "
						+ "If accounts are missing that the archive has posts of, the command doctor names them.");
	}

	/** What is written meanwhile would be lost when the restore goes on. */
	private static StartupException restoreNotEnded() {
		return new StartupException("A restore from the archive has begun, and has not ended.",
				"Run the command restore-from-archive again until it ends. "
						+ "It undoes what users take back meanwhile, such as likes. If the site has run since it began, "
						+ "remove \"" + RESTORING + "\" from the value of the key " + Keys.ARCHIVE_SITE
						+ " in Redis instead, and run the command doctor --fix.");
	}

	/** Old posts would look as if they had never been. */
	private static StartupException emptied() {
		return new StartupException(
				"This site has old posts in an archive, but the database that retwis.archive.url names is empty.",
				"Set retwis.archive.url to the archive of this site, or restore its backup there. If it is lost for good, "
						+ "start once with an empty retwis.archive.url, delete the key " + Keys.ARCHIVE_SITE
						+ " in Redis, start as usual, and run the command doctor --fix.");
	}

	/** Fails when a restore has begun and has not ended, and this is not its command. */
	private Mono<String> siteOfRedis() {
		return this.redis.opsForValue()
			.get(Keys.ARCHIVE_SITE)
			.defaultIfEmpty("")
			.filter((site) -> this.properties.restore() || !site.startsWith(RESTORING))
			.switchIfEmpty(Mono.error(ArchiveOpener::restoreNotEnded));
	}

	/** Writes even if the row is there, to see that the archive can be written. */
	private Mono<String> siteOfArchive() {
		return this.database
			.toOpen((client) -> client.sql("update site set id = id")
				.fetch()
				.rowsUpdated()
				.then(client.sql("select id from site").map((row) -> String.valueOf(row.get(0, String.class))).first())
				.defaultIfEmpty(""))
			.onErrorMap((error) -> !ArchiveDatabase.isAway(error),
					(error) -> new StartupException(
							"The archive of old posts cannot be written: "
									+ NestedExceptionUtils.getMostSpecificCause(error).getMessage(),
							"Give the user of retwis.archive.username the right to write its tables, "
									+ "and make sure that the database is not read-only."));
	}

	private static String confirmed(String site) {
		return Stream.of(PENDING, RESTORING)
			.filter(site::startsWith)
			.findAny()
			.map((state) -> site.substring(state.length()))
			.orElse(site);
	}

	/**
	 * Redis first: of instances that start at the same time, one decides. If this one
	 * dies before it confirms that, the next one goes on with the same text. A new
	 * archive has no tags and words of the posts that are in Redis.
	 */
	private Mono<Void> mark(String site) {
		return this.redis.opsForValue()
			.setIfAbsent(Keys.ARCHIVE_SITE, PENDING + site)
			.then(this.redis.delete(Keys.ARCHIVE_INDEXED))
			.then(siteOfRedis())
			.map(ArchiveOpener::confirmed)
			.delayUntil((agreed) -> this.database
				.toOpen((client) -> client.sql("insert into site (one, id) values (true, :id)")
					.bind("id", agreed)
					.fetch()
					.rowsUpdated())
				.onErrorComplete(DataIntegrityViolationException.class)
				.then(Mono.defer(this.database::sync)))
			.flatMap(this::confirm);
	}

	/** From now on the archive is never found without its text. */
	private Mono<Void> confirm(String site) {
		return this.redis.opsForValue().set(Keys.ARCHIVE_SITE, site).then();
	}

	/** Starts right after the connection to the data node. */
	@Override
	public int getPhase() {
		return Integer.MIN_VALUE + 2000;
	}

}
