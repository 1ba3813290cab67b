package live.retwis.testing;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import live.retwis.log.CommitLog;
import live.retwis.log.CommitLog.Commit;
import live.retwis.log.Intent;
import live.retwis.log.Intents;
import live.retwis.log.LogEntry;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Commits posts directly, without the site's forms, and reads what is committed. */
public final class Commits {

	private static final int PUBLIC_SIZE = 1000;

	private static final Duration BOUND = Duration.ofSeconds(10);

	private Commits() {
	}

	/** Commits a post that is stored, or that no test will read. */
	public static Mono<Commit> publish(Site site, String postId, String authorId, String once) {
		return publish(site, postId, authorId, once, List.of(), null);
	}

	/** Commits a post with tags that may be a reply. */
	public static Mono<Commit> publish(Site site, String postId, String authorId, String once, List<String> tags,
			@Nullable String replyTo) {
		Intent stored = Intent.of(Intent.Kind.POST, postId, authorId + ":" + once);
		Intent delivery = Intent.of(Intent.Kind.DELIVERY, postId, authorId);
		return site.bean(Intents.class)
			.declare(stored, Intents.SHORT)
			.then(Mono.defer(() -> site.bean(CommitLog.class)
				.publish(stored, delivery, postId, authorId, once, "-", PUBLIC_SIZE, false,
						new LogEntry.PostFacts(tags, replyTo, null))));
	}

	/** The first entry of this type for a post. */
	public static LogEntry entry(Site site, LogEntry.Type type, String postId) {
		return Objects.requireNonNull(site.bean(CommitLog.class)
			.between("-", "+")
			.filter((some) -> some.type() == type && some.post().equals(postId))
			.blockFirst(BOUND));
	}

}
