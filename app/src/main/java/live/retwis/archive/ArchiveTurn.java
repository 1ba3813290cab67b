package live.retwis.archive;

import live.retwis.redis.Keys;
import live.retwis.redis.RandomTokens;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Whose turn it is to write much to the archive: that of one instance at a time, until it
 * gives no sign for {@link ArchiveMover#TURN}. So no two of them wait for each other in
 * the database.
 */
@Component
class ArchiveTurn {

	private static final int INSTANCE_BITS = 96;

	private final ArchiveDatabase database;

	private final ReactiveStringRedisTemplate redis;

	private final String instance = RandomTokens.ofBits(INSTANCE_BITS);

	ArchiveTurn(ArchiveDatabase database, ReactiveStringRedisTemplate redis) {
		this.database = database;
		this.redis = redis;
	}

	/**
	 * Whether this instance may begin. One that is cut off from the archive leaves the
	 * turn to others.
	 */
	Mono<Boolean> mayBegin() {
		return (this.database.isOpen() && this.database.isUp()) ? isMine() : Mono.just(false);
	}

	/** SET NX, or EXPIRE if this instance had the last turn. */
	Mono<Boolean> isMine() {
		return this.redis.opsForValue()
			.setIfAbsent(Keys.ARCHIVE_MOVER, this.instance, ArchiveMover.TURN)
			.flatMap((free) -> free ? Mono.just(true)
					: this.redis.opsForValue()
						.get(Keys.ARCHIVE_MOVER)
						.filter(this.instance::equals)
						.flatMap((mine) -> this.redis.expire(Keys.ARCHIVE_MOVER, ArchiveMover.TURN))
						.defaultIfEmpty(false));
	}

}
