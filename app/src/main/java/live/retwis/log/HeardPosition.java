package live.retwis.log;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.lettuce.core.RedisConnectionException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * How far this instance has heard the commit log. Everything here that listens to the log
 * has been told of all entries up to there. So a page that asks before it reads anything
 * may say that it is complete up to there, however far fan-out is.
 */
@Component
public class HeardPosition {

	/** Longer than reading the log takes to begin; shorter than a page may take. */
	private static final Duration LONGEST = Duration.ofSeconds(2);

	private final CompletableFuture<Position> first = new CompletableFuture<>();

	private volatile @Nullable Position position;

	/**
	 * The place of the last entry heard. An instance that has just started waits until
	 * there is one.
	 * @return an error as of a data node that is away when there is none after 2 s
	 */
	public Mono<Position> position() {
		Position known = this.position;
		return (known != null) ? Mono.just(known) : Mono.fromFuture(this.first, true)
			.timeout(LONGEST,
					Mono.error(() -> new RedisConnectionException("The log has not been read since the start")));
	}

	/** All listeners know of the entry at that place, and of those before it. */
	public void heard(Position place) {
		this.position = place;
		this.first.complete(place);
	}

}
