package live.retwis.delivery;

import java.util.List;
import java.util.function.Function;

import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.post.Post;
import live.retwis.post.PostListener;
import live.retwis.redis.DamagedKeyReporter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Tells each feature that listens of a post, one after the other. A list that another
 * program has damaged keeps the post from no other one.
 */
@Component
public class PostListenerNotifier {

	private final List<PostListener> listeners;

	private final DamagedKeyReporter damaged;

	PostListenerNotifier(List<PostListener> listeners, DamagedKeyReporter damaged) {
		this.listeners = listeners;
		this.damaged = damaged;
	}

	/** A post is made. */
	public Mono<Void> posted(Post post, LogPosition position) {
		return tell((listener) -> listener.posted(post, position));
	}

	/** A post was deleted before all of its lists had it. */
	Mono<Void> gone(LogEntry entry) {
		return tell((listener) -> listener.gone(entry));
	}

	private Mono<Void> tell(Function<PostListener, Mono<Void>> step) {
		return Flux.fromIterable(this.listeners)
			.concatMap((listener) -> this.damaged.passOver(listener.getClass().getSimpleName(), step.apply(listener)))
			.then();
	}

}
