package live.retwis.reaction;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import live.retwis.background.BackgroundQueue;
import live.retwis.log.CommitLog;
import live.retwis.log.Intent;
import live.retwis.log.IntentRecovery;
import live.retwis.log.Intents;
import live.retwis.post.Post;
import live.retwis.restriction.HiddenAuthorsCache;
import live.retwis.restriction.RestrictionRepository;
import live.retwis.web.ProblemException;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * Lets users react to posts. A form waits for two commands: one declares the intent, one
 * changes the posts that the user reacts to. From then on the user sees the change. The
 * log entry comes after the answer, and the workers make the reaction count. Where it
 * does not come, for whatever reason, {@code IntentSweeper} writes it.
 * <p>
 * Nobody reacts to the posts of somebody by whom they are blocked. A form is refused if
 * the cache knows of the block, because there is no command left to ask for it. Otherwise
 * the reaction is taken back before it counts. A later block takes no reaction back.
 */
@Component
public class ReactionWriter extends BackgroundQueue<Intent> implements IntentRecovery {

	/** Log entries written at once. */
	private static final int CONCURRENCY = 64;

	private static final String BETWEEN_DETAILS = ":";

	private final ReactionRepository reactions;

	private final CommitLog log;

	private final Intents intents;

	private final RestrictionRepository restrictions;

	private final HiddenAuthorsCache hidden;

	ReactionWriter(ReactionRepository reactions, CommitLog log, Intents intents, RestrictionRepository restrictions,
			HiddenAuthorsCache hidden) {
		super(CONCURRENCY);
		this.reactions = reactions;
		this.log = log;
		this.intents = intents;
		this.restrictions = restrictions;
		this.hidden = hidden;
	}

	/**
	 * Reacts to a post, or takes that back. It goes on when the caller cancels.
	 * @return whether that changed something;
	 * {@link live.retwis.log.LogAdmissionControl.NotAdmittedException} when too many
	 * entries wait for fan-out; {@link live.retwis.redis.DataNodeFullException} when a
	 * data node is nearly full; {@link ProblemException} when the user reacts to too many
	 * posts, or is blocked
	 */
	Mono<Boolean> react(Reaction reaction, String userId, Post post, boolean reacts) {
		if (reacts && this.hidden.hasBlocked(post.authorId(), userId)) {
			return ProblemException.of(HttpStatus.FORBIDDEN, reaction.texts().blocked().apply(post.author()));
		}
		Intent intent = intent(reaction, userId, post.id(), post.authorId());
		return (reacts ? this.log.admitGrowth() : this.log.admit()).then(this.intents.run(intent, Intents.SHORT,
				this.reactions.set(reaction, post.id(), userId, reacts)
					.flatMap((change) -> (change == ReactionRepository.Change.FULL)
							? this.intents.notBegun(intent, tooMany(reaction)) : Mono.fromRunnable(() -> offer(intent))
								.thenReturn(change == ReactionRepository.Change.DONE))));
	}

	private static Intent intent(Reaction reaction, String userId, String postId, String authorId) {
		return Intent.of(Intent.Kind.REACTION, userId, String.join(BETWEEN_DETAILS, reaction.name(), postId, authorId));
	}

	/** Makes a like count, or no longer count, as the user wants it now. */
	public Mono<Void> recheckLike(String userId, String postId, String authorId) {
		Intent intent = intent(Reaction.LIKE, userId, postId, authorId);
		return this.intents.declare(intent, Intents.SHORT).then(work(intent));
	}

	private static ProblemException tooMany(Reaction reaction) {
		return new ProblemException(HttpStatus.UNPROCESSABLE_CONTENT, reaction.texts().full());
	}

	@Override
	protected Mono<Void> work(Intent intent) {
		return this.intents.declaringAgain(intent, Intents.SHORT, finish(intent).then(this.intents.drop(intent)));
	}

	@Override
	public Set<Intent.Kind> kinds() {
		return Set.of(Intent.Kind.REACTION);
	}

	/**
	 * Writes a log entry if the reaction counts although the user does not react, or the
	 * other way round. Takes the reaction back instead if the user was blocked before it.
	 */
	@Override
	public Mono<Void> finish(Intent intent) {
		String[] details = intent.detail().split(BETWEEN_DETAILS);
		Reaction reaction = Reaction.valueOf(details[0]);
		String userId = intent.subject();
		return Mono.zip(this.reactions.since(reaction, details[1], userId),
				this.reactions.countedSince(reaction, details[1], userId),
				(since, counted) -> (since.isPresent() == counted.isPresent()) ? Mono.<Void>empty() : wasBlocked(
						details[2], userId, since)
					.flatMap((blocked) -> blocked
							? takeBack(reaction, userId, details[1], details[2], since.orElseThrow())
								.flatMap((isBack) -> isBack ? finish(intent) : Mono.empty())
							: this.log.reacted(intent, reaction.type(since.isPresent()), userId, details[1], details[2])
								.then()))
			.flatMap(Function.identity());
	}

	private Mono<Boolean> wasBlocked(String authorId, String userId, Optional<Long> since) {
		return since.map((time) -> this.restrictions.hadBlocked(authorId, userId, time)).orElse(Mono.just(false));
	}

	/**
	 * The cache knows of the block after that, so that the next form is refused. The
	 * block may be over by now, and the user may have been told of the reaction again. So
	 * it comes back then.
	 * @return whether it is back
	 */
	private Mono<Boolean> takeBack(Reaction reaction, String userId, String postId, String authorId, long since) {
		return this.reactions.forget(reaction, List.of(postId), userId)
			.filter((removed) -> removed > 0)
			.delayUntil((removed) -> this.hidden.of(authorId))
			.filterWhen((removed) -> this.restrictions.hasBlocked(authorId, userId).map((blocked) -> !blocked))
			.flatMap((removed) -> this.reactions.restore(reaction, postId, userId, since).thenReturn(true))
			.defaultIfEmpty(false);
	}

}
