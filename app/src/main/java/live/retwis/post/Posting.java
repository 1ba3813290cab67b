package live.retwis.post;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;
import java.util.function.Function;

import live.retwis.log.CommitLog;
import live.retwis.log.Intent;
import live.retwis.log.IntentRecovery;
import live.retwis.log.Intents;
import live.retwis.log.LogAdmissionControl;
import live.retwis.logging.RequestId;
import live.retwis.post.PostMetrics.Result;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.redis.Uncancellable;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.stereotype.Component;

/**
 * Makes posts. A post counts as made when its entry is in the log. Before that, its hash
 * is visible to nobody. The steps after that can be repeated.
 */
@Component
public class Posting implements IntentRecovery {

	private static final Logger logger = LoggerFactory.getLogger(Posting.class);

	/**
	 * From the beginning of a post, how long the author waits until the own lists have
	 * it: less than {@link PostingHandler} may take.
	 */
	private static final Duration PATIENCE = Duration.ofMillis(2200);

	/** Between the author and the once value in an intent. */
	private static final String BETWEEN = ":";

	private final PostRepository posts;

	private final TimeSortedIdGenerator ids;

	private final CommitLog log;

	private final PostDelivery delivery;

	private final PostMetrics metrics;

	private final Intents intents;

	Posting(PostRepository posts, TimeSortedIdGenerator ids, CommitLog log, PostDelivery delivery, PostMetrics metrics,
			Intents intents) {
		this.posts = posts;
		this.ids = ids;
		this.log = log;
		this.delivery = delivery;
		this.metrics = metrics;
		this.intents = intents;
	}

	/**
	 * Makes a post. When the same form is sent again, by a person or by a proxy, it makes
	 * no second post and answers with the first one. While the data node is away, this
	 * retries for as long as a request may take. It goes on when the caller cancels.
	 * @param replied the post that it replies to; null for none
	 * @return the post's id; {@link DifferentTextException} when the form was sent before
	 * with another text; {@link LogAdmissionControl.NotAdmittedException} when too many
	 * entries wait for fan-out; {@link live.retwis.redis.DataNodeFullException} when a
	 * data node is nearly full
	 */
	public Mono<String> post(Viewer author, String body, @Nullable Post replied, String once) {
		return make(author.id(),
				(id) -> new Post(id.id(), author.id(), author.username(), id.millis(), body,
						(replied != null) ? replied.id() : null, (replied != null) ? replied.author() : null, null),
				once);
	}

	/**
	 * The post that {@link #post} has made of the same form; empty for none, and for one
	 * that is deleted.
	 * @param replyTo id of the post that it replies to; null for none
	 * @return its commit; {@link live.retwis.redis.NotConfirmedException} when too few
	 * replicas have the post
	 */
	Mono<CommitLog.Commit> findMade(Viewer author, String body, @Nullable String replyTo, String once) {
		return this.log.madeBy(author.id(), once)
			.filter((made) -> made.digest().equals(digest(body, replyTo)))
			.filterWhen((made) -> this.posts.isThere(made.postId()))
			.delayUntil((made) -> this.log.confirm(author.id(), once));
	}

	/**
	 * Makes a repost, which shows a post to the followers of whoever reposts it. Called
	 * again within an hour, it makes no second repost, unless {@link #forgetRepost} was
	 * called between.
	 * @return the id of the repost; {@link LogAdmissionControl.NotAdmittedException} when
	 * too many entries wait for fan-out; {@link live.retwis.redis.DataNodeFullException}
	 * when a data node is nearly full
	 */
	public Mono<String> repost(Viewer author, Post original) {
		return make(author.id(),
				(id) -> new Post(id.id(), author.id(), author.username(), id.millis(), "", null, null, original.id()),
				onceOf(original));
	}

	/** {@link CommitLog#confirm}, for a repost that was found. */
	public Mono<Void> confirmRepost(Viewer author, Post original) {
		return this.log.confirm(author.id(), onceOf(original));
	}

	/** The id of the repost that {@link #repost} would answer with; empty for none. */
	public Mono<String> findRepost(Viewer author, Post original) {
		return this.log.madeBy(author.id(), onceOf(original)).map(CommitLog.Commit::postId);
	}

	/** This repost is deleted, so {@link #repost} may make another one. */
	public Mono<Void> forgetRepost(Viewer author, Post original, String repostId) {
		return this.log.forgetForm(author.id(), onceOf(original), repostId);
	}

	/** The once value of a repost. No form can send it, because it contains a colon. */
	private static String onceOf(Post original) {
		return "repost:" + original.id();
	}

	private Mono<String> make(String authorId, Function<TimeSortedIdGenerator.NewId, Post> made, String once) {
		return Mono.defer(() -> {
			long began = System.nanoTime();
			Mono<Committed> committed = this.log.admitGrowth()
				.then(Mono.defer(() -> Mono.zip(create(made, once), this.delivery.isPulled(authorId),
						(stored, pulled) -> commit(stored, once, pulled))))
				.flatMap(Function.identity());
			return Uncancellable.of(DataNodeRetry.inTime(committed)
				.flatMap((done) -> within(began, done.delivery()).thenReturn(done.postId())));
		});
	}

	private Mono<Stored> create(Function<TimeSortedIdGenerator.NewId, Post> made, String once) {
		return this.ids.next().map(made).flatMap((post) -> {
			Intent intent = Intent.of(Intent.Kind.POST, post.id(), post.authorId() + BETWEEN + once);
			return this.intents.declare(intent, Intents.SHORT)
				.then(this.intents.declaringAgain(intent, Intents.SHORT, this.posts.create(post)))
				.flatMap((mine) -> mine ? Mono.just(new Stored(post, intent))
						: this.intents.drop(intent).then(create(made, once)));
		});
	}

	private Mono<Committed> commit(Stored stored, String once, boolean pulled) {
		Post post = stored.post();
		String digest = digest(post.body(), post.replyTo());
		Intent delivery = Intent.of(Intent.Kind.DELIVERY, post.id(), post.authorId());
		Mono<CommitLog.Commit> publish = this.log.publish(stored.intent(), delivery, post.id(), post.authorId(), once,
				digest, this.delivery.publicTimelineSize(), pulled, post.facts());
		// A fail-over may have lost the post that was stored before.
		Mono<CommitLog.Commit> again = this.posts.create(post).then(publish).retryWhen(DataNodeRetry.whileAway());
		return this.intents.declaringAgain(stored.intent(), Intents.SHORT, publish)
			.onErrorResume(RedisErrorClassifier::isAway, (away) -> again)
			.switchIfEmpty(Mono.defer(() -> this.posts.discard(post.id(), post.authorId())
				.then(Mono.error(new QueryTimeoutException("Storing the post took too long")))))
			.flatMap((commit) -> {
				if (commit.postId().equals(post.id())) {
					this.metrics.count(Result.COMMITTED);
					return Mono.just(new Committed(post.id(), deliver(post, commit, pulled, delivery)));
				}
				this.metrics.count(Result.REPEATED);
				return this.posts.discard(post.id(), post.authorId())
					.then(this.intents.drop(stored.intent()))
					.then(commit.digest().equals(digest) ? Mono.just(new Committed(commit.postId(), Mono.empty()))
							: Mono.error(new DifferentTextException()));
			});
	}

	/**
	 * Adds a committed post to its author's lists. If the data node goes away meanwhile,
	 * a fail-over may have lost the post, its entry and the intent, but not all of what
	 * was sent for these lists. So the intent is declared again when the data node is
	 * back, and the lists are looked at again. This goes on after the request.
	 */
	private Mono<Void> deliver(Post post, CommitLog.Commit commit, boolean pulled, Intent intent) {
		Mono<Void> delivered = this.delivery.committed(post, commit.position(), pulled).then(this.intents.drop(intent));
		return Uncancellable.of(delivered
			.onErrorResume(RedisErrorClassifier::isAway,
					(away) -> this.intents.declareWhenBack(intent, Intents.SHORT).then(delivered))
			.onErrorResume((error) -> leaveToWorkers(post, error)));
	}

	/**
	 * The delivery goes on when the author no longer waits.
	 * @param began when the post was begun, by {@link System#nanoTime()}
	 */
	private static Mono<Void> within(long began, Mono<Void> delivery) {
		return Mono.defer(() -> {
			long left = PATIENCE.toNanos() - (System.nanoTime() - began);
			return delivery.timeout(Duration.ofNanos(Math.max(0, left)), Mono.empty());
		});
	}

	private static Mono<Void> leaveToWorkers(Post post, Throwable error) {
		return Mono.deferContextual((context) -> {
			RequestId.in(logger.atWarn(), context)
				.setCause(error)
				.log("Post {} is committed, and the workers will add it to its author's lists", post.id());
			return Mono.empty();
		});
	}

	/** A digest of the form's content, 64 bits. */
	private static String digest(String body, @Nullable String replyTo) {
		try {
			MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
			sha256.update(body.getBytes(StandardCharsets.UTF_8));
			byte[] hash = sha256.digest(String.valueOf(replyTo).getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(hash, 0, Long.BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("every Java platform has SHA-256", ex);
		}
	}

	@Override
	public Set<Intent.Kind> kinds() {
		return Set.of(Intent.Kind.POST);
	}

	/**
	 * A post that was not published is removed. Publishing takes the intent out, but a
	 * connection that breaks may declare it once more, and that may arrive later. So the
	 * answer to the form decides. The site forgets it after a while. Then the post's
	 * entry decides, and when the log has forgotten that, too, the author's list has the
	 * post. The intent of an older release does not name the form.
	 * <p>
	 * A fail-over may have lost the entry of a post that is in its author's list all the
	 * same. Such a post is deleted, so that the workers take it out of every list.
	 */
	@Override
	public Mono<Void> finish(Intent intent) {
		String postId = intent.subject();
		String[] form = intent.detail().split(BETWEEN, 2);
		return this.log.madeBy(form[0], (form.length > 1) ? form[1] : "")
			.filter((made) -> made.postId().equals(postId))
			.hasElement()
			.flatMap((made) -> made ? Mono.just(true) : wasPublishedLongAgo(postId, form[0]))
			.flatMap((published) -> published ? Mono.empty() : undo(intent, postId, form[0]));
	}

	private Mono<Void> undo(Intent intent, String postId, String authorId) {
		return this.delivery.isInOwnList(postId, authorId)
			.flatMap((listed) -> listed ? this.posts.delete(postId, authorId, intent.text())
				.then(this.log.postDeleted(postId, authorId))
				.then() : this.posts.discard(postId, authorId));
	}

	private Mono<Boolean> wasPublishedLongAgo(String postId, String authorId) {
		return this.ids.isOlder(postId, CommitLog.ONCE)
			.flatMap((old) -> !old ? Mono.just(false)
					: this.log.committed(postId)
						.hasElement()
						.flatMap((named) -> named ? Mono.just(true) : this.delivery.isInOwnList(postId, authorId)));
	}

	/**
	 * A stored post that nothing refers to yet.
	 *
	 * @param intent the intent under which it is stored
	 */
	private record Stored(Post post, Intent intent) {
	}

	/**
	 * A post of which everybody is told. From here on, nothing is an error to its author.
	 *
	 * @param delivery adds it to the lists of its author; empty if that was done before
	 */
	private record Committed(String postId, Mono<Void> delivery) {
	}

	/** The form was sent before, with another text. */
	public static class DifferentTextException extends RuntimeException {

		DifferentTextException() {
			super("the same form was sent before with another text");
		}

	}

}
