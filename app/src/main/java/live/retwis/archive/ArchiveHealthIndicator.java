package live.retwis.archive;

import java.time.Duration;
import java.util.Locale;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;
import reactor.function.TupleUtils;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.AbstractReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Reports whether the archive answers, what waits for it, and when this instance last
 * looked for posts to move. The status is always up, because without the archive only old
 * posts cannot be read.
 */
@Component
class ArchiveHealthIndicator extends AbstractReactiveHealthIndicator {

	private static final Duration LONGEST = Duration.ofSeconds(1);

	private final ArchiveDatabase database;

	private final ReactiveStringRedisTemplate redis;

	private final ObjectProvider<ArchiveMover> mover;

	ArchiveHealthIndicator(ArchiveDatabase database, ReactiveStringRedisTemplate redis,
			ObjectProvider<ArchiveMover> mover, MeterRegistry meters) {
		this.database = database;
		this.redis = redis;
		this.mover = mover;
		Gauge.builder("retwis.archive.up", database, ArchiveHealthIndicator::up)
			.description("Whether the archive has answered the last question of this instance; NaN without an archive")
			.register(meters);
		for (ArchiveDatabase.Use use : ArchiveDatabase.Use.values()) {
			String pool = use.name().toLowerCase(Locale.ROOT);
			Gauge.builder("retwis.archive.connections", database, (now) -> now.connectionsInUse(use))
				.description("Connections to the archive that are in use")
				.tag("pool", pool)
				.register(meters);
			Gauge.builder("retwis.archive.connections.awaited", database, (now) -> now.connectionsAwaited(use))
				.description("Requests that wait for a connection to the archive")
				.tag("pool", pool)
				.register(meters);
		}
	}

	/** The alert for 0 must not fire where there is no archive. */
	private static double up(ArchiveDatabase database) {
		return !database.isUsed() ? Double.NaN : database.isUp() ? 1 : 0;
	}

	@Override
	protected Mono<Health> doHealthCheck(Health.Builder builder) {
		builder.up();
		if (!this.database.isUsed()) {
			return Mono.just(builder.withDetail("archive", "none").build());
		}
		this.mover.ifAvailable((worker) -> builder.withDetail("seconds since the last whole pass",
				worker.sinceWholePass().toSeconds()));
		Mono<String> state = this.database
			.read((client) -> client.sql("select 1").fetch().first().thenReturn("answers"))
			.timeout(LONGEST)
			.onErrorResume((error) -> Mono.just("away: " + error.getMessage()));
		return Mono
			.zip(state, waiting(Keys.ARCHIVE_DELETED), waiting(Keys.ARCHIVE_CLOSED), waiting(Keys.ARCHIVE_COUNTS))
			.map(TupleUtils.function((archive, toDelete, closed, toCount) -> builder.withDetail("archive", archive)
				.withDetail("posts to delete", toDelete)
				.withDetail("accounts to delete", closed)
				.withDetail("posts to count again", toCount)
				.build()));
	}

	private Mono<Long> waiting(String key) {
		return this.redis.opsForZSet().size(key).timeout(LONGEST).onErrorReturn(-1L);
	}

}
