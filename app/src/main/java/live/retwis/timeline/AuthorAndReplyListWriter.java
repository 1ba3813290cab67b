package live.retwis.timeline;

import java.util.List;

import live.retwis.account.AccountStateRepository;
import live.retwis.log.LogPosition;
import live.retwis.post.Post;
import live.retwis.post.ReplyRepository;
import live.retwis.redis.DamagedKeyReporter;
import reactor.core.publisher.Mono;
import reactor.function.TupleUtils;

import org.springframework.stereotype.Component;

/**
 * Adds a post to the lists that do not depend on followers: the author's own posts, the
 * author's home timeline, and the replies to the post that it answers.
 */
@Component
public class AuthorAndReplyListWriter {

	private final TimelineRepository timelines;

	private final HomeTimelineWriter homes;

	private final TimelineRebuild rebuild;

	private final ReplyRepository replies;

	private final AccountStateRepository accounts;

	AuthorAndReplyListWriter(TimelineRepository timelines, HomeTimelineWriter homes, TimelineRebuild rebuild,
			ReplyRepository replies, AccountStateRepository accounts) {
		this.timelines = timelines;
		this.homes = homes;
		this.rebuild = rebuild;
		this.replies = replies;
		this.accounts = accounts;
	}

	/**
	 * Adds a post. An author without a home timeline gets one first. Running it again
	 * changes nothing. If one of the lists cannot be written, the others still are.
	 * @param pulled whether readers pull the post
	 */
	public Mono<Void> deliver(Post post, LogPosition position, boolean pulled) {
		long millis = position.millis();
		Mono<Void> reply = (post.replyTo() != null) ? this.replies.add(post.replyTo(), post.id(), millis)
				: Mono.empty();
		Mono<Void> toPull = pulled ? this.timelines.addToPulledOf(post.authorId(), post.id(), millis) : Mono.empty();
		Mono<List<String>> home = this.homes.add(List.of(post.authorId()), post.id(), millis);
		Mono<Void> own = this.timelines.addToPostsOf(post.authorId(), post.id(), millis);
		Mono<Void> others = Mono.whenDelayError(DamagedKeyReporter.thenInAnyCase(toPull, own), reply);
		return Mono.zipDelayError(home, others.thenReturn(true))
			.map(TupleUtils.function((without, done) -> without))
			.flatMap((without) -> without.isEmpty() ? Mono.empty()
					: this.rebuild.run(post.authorId()).then(home).then(removeHomeIfGone(post.authorId())))
			.then();
	}

	/** ZSCORE: whether the author's own posts have the post. */
	public Mono<Boolean> has(String authorId, String postId) {
		return this.timelines.isInPostsOf(authorId, postId);
	}

	/** The author deleted the account while the timeline was made. */
	private Mono<Void> removeHomeIfGone(String authorId) {
		return Mono.defer(() -> this.accounts.ifGone(authorId, this.homes.remove(authorId)));
	}

}
