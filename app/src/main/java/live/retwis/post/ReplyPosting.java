package live.retwis.post;

import java.util.function.Function;

import live.retwis.block.BlockedException;
import live.retwis.block.RestrictionRepository;
import live.retwis.redis.Uncancellable;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Makes replies, but none between users of whom one has blocked the other.
 */
@Component
class ReplyPosting {

	private final Posting posting;

	private final PostDeletion deletion;

	private final RestrictionRepository restrictions;

	ReplyPosting(Posting posting, PostDeletion deletion, RestrictionRepository restrictions) {
		this.posting = posting;
		this.deletion = deletion;
		this.restrictions = restrictions;
	}

	/**
	 * Makes a reply as {@link Posting#post} makes a post. Asks before and after whether
	 * one of the two has blocked the other, because a block may come at the same time.
	 * Then the reply is deleted again. The second question is asked even if the request
	 * has ended meanwhile.
	 * @return the reply's id; {@link BlockedException} when one of the two has blocked
	 * the other; what {@link Posting#post} fails with
	 */
	Mono<String> post(Viewer author, String body, Post replied, String once) {
		Mono<Void> noBlock = this.restrictions.requireNoBlock(author.id(), replied.authorId());
		Mono<Mono<String>> reply = Uncancellable.of(this.posting.post(author, body, replied, once)
			.flatMap((id) -> DataNodeRetry.afterwards(noBlock.thenReturn(Mono.just(id))
				.onErrorResume(BlockedException.class,
						(blocked) -> this.deletion.delete(author, id).thenReturn(Mono.error(blocked))))));
		return noBlock.then(reply).flatMap(Function.identity());
	}

}
