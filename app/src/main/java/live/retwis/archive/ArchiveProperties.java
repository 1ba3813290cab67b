package live.retwis.archive;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the archive of old posts.
 *
 * @param url R2DBC address of the database, for example
 * {@code r2dbc:postgresql://db:5432/retwis}, without a user and a password; empty: all
 * posts stay in Redis
 * @param username user of the database
 * @param password password of that user
 * @param after posts that are older than this move to the archive; an hour or more
 * @param connections most connections of an instance to the database, at least 1;
 * searches have two of their own
 * @param restore whether a Redis without a mark takes over an archive that has one; only
 * the command {@code restore-from-archive} sets it
 * @param every pause between two searches for posts to move; greater than 0
 */
@ConfigurationProperties("retwis.archive")
public record ArchiveProperties(@DefaultValue("") String url, @DefaultValue("") String username,
		@DefaultValue("") String password, @DefaultValue("90d") Duration after, @DefaultValue("10") int connections,
		@DefaultValue("false") boolean restore, @DefaultValue("10m") Duration every) {

	/**
	 * Younger posts never move. Workers are done with a post by then, and replays no
	 * longer tell of it.
	 */
	public static final Duration YOUNGEST = Duration.ofHours(1);

	public ArchiveProperties {
		if (after.compareTo(YOUNGEST) < 0) {
			throw new IllegalArgumentException("retwis.archive.after is " + after + ". Set it to 1h or more.");
		}
		if (connections < 1) {
			throw new IllegalArgumentException(
					"retwis.archive.connections is " + connections + ". Set it to 1 or more.");
		}
		if (every.isZero() || every.isNegative()) {
			throw new IllegalArgumentException("retwis.archive.every is " + every + ". Set it to a time such as 10m.");
		}
	}

	/** Whether there is an archive. */
	public boolean isUsed() {
		return !this.url.isEmpty();
	}

}
