package live.retwis.log;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.stereotype.Component;

/**
 * How far this instance has heard the commit log. Every log listener of this instance has
 * been told of all entries up to this position. A page that asks for the position before
 * it reads anything is complete up to that position, however far behind fan-out is.
 */
@Component
public class InstanceLogPosition {

	/**
	 * Longer than it takes to begin reading the log, and shorter than a page may take.
	 */
	private static final Duration LONGEST = Duration.ofSeconds(2);

	private final CompletableFuture<LogPosition> first = new CompletableFuture<>();

	private volatile @Nullable LogPosition position;

	/**
	 * The position of the last entry heard. An instance that has just started waits until
	 * it has heard one.
	 * @return an error as of a data node that is away, when no entry was heard within 2 s
	 */
	public Mono<LogPosition> position() {
		LogPosition known = this.position;
		return (known != null) ? Mono.just(known) : Mono.fromFuture(this.first, true)
			.timeout(LONGEST,
					Mono.error(() -> new RedisConnectionFailureException("The log has not been read since the start")));
	}

	/** The same without waiting; empty when no entry was heard yet. */
	public Optional<LogPosition> known() {
		return Optional.ofNullable(this.position);
	}

	/**
	 * Says that all listeners know the entry at this position and every entry before it.
	 */
	public void heard(LogPosition place) {
		this.position = place;
		this.first.complete(place);
	}

}
