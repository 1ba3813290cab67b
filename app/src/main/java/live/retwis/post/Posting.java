package live.retwis.post;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import live.retwis.post.PostMetrics.Result;
import live.retwis.redis.CommitLog;
import live.retwis.redis.Ids;
import live.retwis.web.RequestId;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Makes and deletes posts. A post is made when the log has its entry; the hash before it
 * is nothing that anyone can see, and what comes after it can be repeated.
 */
@Component
public class Posting {

	private static final Logger logger = LoggerFactory.getLogger(Posting.class);

	private final PostRepository posts;

	private final Ids ids;

	private final CommitLog log;

	private final Delivery delivery;

	private final TimelineProperties timeline;

	private final PostMetrics metrics;

	Posting(PostRepository posts, Ids ids, CommitLog log, Delivery delivery, TimelineProperties timeline,
			PostMetrics metrics) {
		this.posts = posts;
		this.ids = ids;
		this.log = log;
		this.delivery = delivery;
		this.timeline = timeline;
		this.metrics = metrics;
	}

	/**
	 * Makes a post. The same form again, from a person or from a proxy, makes none and
	 * answers with the first.
	 * @param replied what it replies to; null when nothing While the data node is away
	 * this goes on trying: a hash that is stored is used, and the caller bounds the time.
	 * @return the post's id; {@link OtherText} when the form was sent before with another
	 * text; {@link Delivery.Overloaded} when too much waits to be delivered
	 */
	public Mono<String> post(Viewer author, String body, @Nullable Post replied, String once) {
		return this.delivery.admit()
			.then(Mono.defer(() -> Mono.zip(create(author, body, replied), this.delivery.isPulled(author.id()))))
			.flatMap((ready) -> commit(ready.getT1(), once, ready.getT2()));
	}

	private Mono<Post> create(Viewer author, String body, @Nullable Post replied) {
		return this.ids.next()
			.map((id) -> new Post(id.id(), author.id(), author.username(), id.millis(), body,
					(replied != null) ? replied.id() : null, (replied != null) ? replied.author() : null))
			.flatMap((post) -> this.posts.create(post)
				.flatMap((mine) -> mine ? Mono.just(post) : create(author, body, replied)));
	}

	private Mono<String> commit(Post post, String once, boolean pulled) {
		String digest = digest(post);
		return this.log.publish(post.id(), post.authorId(), once, digest, this.timeline.publicSize(), pulled)
			.retryWhen(Again.whileAway())
			.flatMap((commit) -> {
				if (commit.postId().equals(post.id())) {
					this.metrics.count(Result.COMMITTED);
					return this.delivery.committed(post, commit.position(), pulled)
						.onErrorResume((error) -> inTime(post, error))
						.thenReturn(post.id());
				}
				this.metrics.count(Result.REPEATED);
				return this.posts.discard(post.id())
					.then(commit.digest().equals(digest) ? Mono.just(commit.postId()) : Mono.error(new OtherText()));
			});
	}

	private static Mono<Void> inTime(Post post, Throwable error) {
		return Mono.deferContextual((context) -> {
			RequestId.in(logger.atWarn(), context)
				.setCause(error)
				.log("Post {} is made; its author's lists get it from the log", post.id());
			return Mono.empty();
		});
	}

	/** What the form said, in 64 bits. */
	private static String digest(Post post) {
		try {
			MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
			sha256.update(post.body().getBytes(StandardCharsets.UTF_8));
			byte[] hash = sha256.digest(String.valueOf(post.replyTo()).getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(hash, 0, Long.BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every Java platform has SHA-256", ex);
		}
	}

	/** Marks the post first and logs it then: a marked post is never shown. */
	Mono<PostRepository.Deletion> delete(Viewer viewer, String postId) {
		return delete(postId, viewer.id());
	}

	private Mono<PostRepository.Deletion> delete(String postId, String userId) {
		return this.posts.delete(postId, userId)
			.flatMap((deletion) -> (deletion == PostRepository.Deletion.DONE)
					? this.log.postDeleted(postId, userId).thenReturn(deletion) : Mono.just(deletion));
	}

	/** Deletes a post of an author who is gone, if it is there. */
	public Mono<Void> withdraw(String postId, String authorId) {
		return delete(postId, authorId).then();
	}

	/** The form was sent before, with another text. */
	public static class OtherText extends RuntimeException {

		OtherText() {
			super("the same form was sent before with another text");
		}

	}

}
