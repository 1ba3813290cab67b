package live.retwis.testing;

import java.util.List;

import live.retwis.log.CommitLog;
import live.retwis.log.CommitLog.Commit;
import live.retwis.log.Intent;
import live.retwis.log.Intents;
import live.retwis.log.LogEntry;
import reactor.core.publisher.Mono;

/** Commits posts directly, without the site's forms. */
public final class Commits {

	private static final int PUBLIC_SIZE = 1000;

	private static final LogEntry.PostFacts NO_FACTS = new LogEntry.PostFacts(List.of(), null, null);

	private Commits() {
	}

	/** Commits a post that is stored, or that no test will read. */
	public static Mono<Commit> publish(Site site, String postId, String authorId, String once) {
		Intent stored = Intent.of(Intent.Kind.POST, postId, authorId);
		Intent delivery = Intent.of(Intent.Kind.DELIVERY, postId, authorId);
		return site.bean(Intents.class)
			.declare(stored, Intents.SHORT)
			.then(Mono.defer(() -> site.bean(CommitLog.class)
				.publish(stored, delivery, postId, authorId, once, "-", PUBLIC_SIZE, false, NO_FACTS)));
	}

}
