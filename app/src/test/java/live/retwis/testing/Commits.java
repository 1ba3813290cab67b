package live.retwis.testing;

import java.util.List;

import live.retwis.log.CommitLog;
import live.retwis.log.CommitLog.Commit;
import live.retwis.log.Intent;
import live.retwis.log.Intents;
import live.retwis.log.LogEntry;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Commits posts directly, without the site's forms. */
public final class Commits {

	private static final int PUBLIC_SIZE = 1000;

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

}
