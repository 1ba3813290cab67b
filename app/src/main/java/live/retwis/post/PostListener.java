package live.retwis.post;

import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import reactor.core.publisher.Mono;

/**
 * Adds a committed post to what a feature stores. Each feature that stores something of
 * posts has its own. Workers call it, and imports do; it may be called again for the same
 * post, and then changes nothing.
 */
public interface PostListener {

	/**
	 * Called for a post that is in the log at this position, or was imported with its
	 * time.
	 */
	Mono<Void> posted(Post post, LogPosition position);

	/**
	 * Called for a post that was deleted, or lost in a fail-over, before the workers had
	 * finished with it. Removes what {@link #posted} may have added, as far as the post's
	 * log entry tells what that is. Of a lost post nothing else may be stored.
	 */
	default Mono<Void> gone(LogEntry entry) {
		return Mono.empty();
	}

}
