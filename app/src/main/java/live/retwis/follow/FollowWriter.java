package live.retwis.follow;

import java.util.Optional;
import java.util.Set;

import live.retwis.log.CommitLog;
import live.retwis.log.Intent;
import live.retwis.log.IntentRecovery;
import live.retwis.log.Intents;
import live.retwis.log.LogAdmissionControl;
import live.retwis.restriction.BlockListener;
import live.retwis.restriction.BlockedException;
import live.retwis.restriction.RestrictionRepository;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Follows and unfollows. {@code following} is written first, and it is authoritative.
 * Then {@code followers} is updated to match it, and the rest is derived from a log
 * entry. Each step can be repeated.
 */
@Component
public class FollowWriter implements IntentRecovery, BlockListener {

	private final FollowRepository follows;

	private final FollowerListRepository followers;

	private final RestrictionRepository restrictions;

	private final CommitLog log;

	private final Intents intents;

	FollowWriter(FollowRepository follows, FollowerListRepository followers, RestrictionRepository restrictions,
			CommitLog log, Intents intents) {
		this.follows = follows;
		this.followers = followers;
		this.restrictions = restrictions;
		this.log = log;
		this.intents = intents;
	}

	/**
	 * Follows a user: writes both sides and a log entry. When repeated, it finishes what
	 * was half done, without a second log entry if the first one is there. A block is
	 * looked for before the follow is written and again after that. A block that comes at
	 * the same time is written before it ends follows, so one of the two notices the
	 * other.
	 * @return done; {@link BlockedException} when one of the two has blocked the other;
	 * {@link FollowLimitException} when the follower follows as many users as allowed;
	 * {@link LogAdmissionControl.NotAdmittedException} when too many entries wait for
	 * fan-out; {@link live.retwis.redis.DataNodeFullException} when a data node is nearly
	 * full
	 */
	public Mono<Void> follow(String followerId, String followedId) {
		Intent intent = Intent.of(Intent.Kind.FOLLOW, followerId, followedId);
		Mono<Void> steps = this.follows.addFollowing(followerId, followedId)
			.onErrorResume(FollowLimitException.class, (full) -> this.intents.drop(intent).then(Mono.error(full)))
			.flatMap((added) -> this.restrictions.requireNoBlock(followerId, followedId)
				.then(reconcile(followerId, followedId, Optional.of(added.since()), Optional.empty()))
				.flatMap((now) -> tellOrDrop(intent, now, true, added.isNew())))
			.onErrorResume(BlockedException.class, (blocked) -> unfollow(intent, true).then(Mono.error(blocked)));
		return this.restrictions.requireNoBlock(followerId, followedId)
			.then(this.log.admitGrowth())
			.then(this.intents.run(intent, Intents.SHORT, steps));
	}

	/**
	 * Follows a user since an earlier time, without a log entry, so home timelines do not
	 * change. Repeating it changes nothing.
	 * @param since ms of the follow; if the user is followed already, that time stays
	 * @return done; {@link BlockedException} when one of the two has blocked the other;
	 * {@link FollowLimitException} when the follower follows as many users as allowed
	 */
	public Mono<Void> followSilently(String followerId, String followedId, long since) {
		return this.restrictions.requireNoBlock(followerId, followedId)
			.then(this.follows.addFollowing(followerId, followedId, since))
			.flatMap((added) -> reconcile(followerId, followedId, Optional.of(added.since()), Optional.empty()))
			.then();
	}

	/**
	 * Unfollows a user: removes both sides and writes a log entry. If the user is not
	 * followed, the other side is still checked, without a log entry, unless an earlier
	 * follow or unfollow is not finished.
	 * @return done; {@link LogAdmissionControl.NotAdmittedException} when too many
	 * entries wait for fan-out
	 */
	public Mono<Void> unfollow(String followerId, String followedId) {
		Intent intent = Intent.of(Intent.Kind.FOLLOW, followerId, followedId);
		return this.follows.isFollowing(followerId, followedId)
			.flatMap((follows) -> (follows ? this.log.admit() : Mono.<Void>empty())
				.then(this.intents.run(intent, Intents.SHORT, unfollow(intent, follows))));
	}

	/**
	 * Unfollows a user, and decides again whether a log entry is needed, because a follow
	 * or an unfollow may have happened since the check.
	 */
	private Mono<Void> unfollow(Intent intent, boolean follows) {
		String follower = intent.subject();
		String followed = intent.detail();
		return this.follows.removeFollowing(follower, followed)
			.flatMap((before) -> reconcile(follower, followed, Optional.empty(), before)
				.flatMap((now) -> tellOrDrop(intent, now, false, follows || before.isPresent())));
	}

	/**
	 * Writes a log entry if that is needed and {@code following} says what was wanted.
	 */
	private Mono<Void> tellOrDrop(Intent intent, Optional<Long> now, boolean follows, boolean changed) {
		return ((now.isPresent() == follows) ? this.intents.mustTell(intent, changed) : Mono.just(false))
			.flatMap((tells) -> tells ? tell(intent, follows) : this.intents.drop(intent));
	}

	/** Ends the follows between the two users, in both directions. */
	@Override
	public Mono<Void> blocked(String userId, String blockedId) {
		return unfollow(blockedId, userId).then(unfollow(userId, blockedId));
	}

	@Override
	public Set<Intent.Kind> kinds() {
		return Set.of(Intent.Kind.FOLLOW);
	}

	/**
	 * Makes the other side and the log match {@code following}. A follow that a block has
	 * overtaken is removed first.
	 */
	@Override
	public Mono<Void> finish(Intent intent) {
		String follower = intent.subject();
		String followed = intent.detail();
		return this.restrictions.requireNoBlock(follower, followed)
			.onErrorResume(BlockedException.class, (blocked) -> this.follows.removeFollowing(follower, followed).then())
			.then(this.follows.since(follower, followed))
			.flatMap((since) -> reconcile(follower, followed, since, Optional.empty()))
			.flatMap((now) -> tell(intent, now.isPresent()));
	}

	/**
	 * Writes a log entry, and another one if {@code following} has changed meanwhile. So
	 * the last entry agrees with it, also when several forms came at once.
	 */
	private Mono<Void> tell(Intent intent, boolean follows) {
		String follower = intent.subject();
		String followed = intent.detail();
		return (follows ? this.log.followed(intent, follower, followed)
				: this.log.unfollowed(intent, follower, followed))
			.then(this.follows.isFollowing(follower, followed))
			.flatMap((now) -> (now == follows) ? Mono.empty()
					: this.intents.run(intent, Intents.SHORT, tell(intent, now)));
	}

	/**
	 * Updates {@code followers} to match {@code following}. Repeats this when
	 * {@code following} has changed meanwhile, because the writer of that change may have
	 * updated the other side first.
	 * @param since what {@code following} says, in ms; empty for no follow
	 * @param before what it said before, if that is known
	 * @return what it says now
	 */
	private Mono<Optional<Long>> reconcile(String followerId, String followedId, Optional<Long> since,
			Optional<Long> before) {
		return (since.isPresent() ? this.followers.add(followedId, followerId, since.get())
				: this.followers.remove(followedId, followerId, before).then())
			.then(this.follows.since(followerId, followedId))
			.flatMap((now) -> now.equals(since) ? Mono.just(now) : reconcile(followerId, followedId, now, since));
	}

	/**
	 * Removes a follow from both sides, without a log entry. {@code followers} comes
	 * last, so whoever reads there what is left to remove can repeat this.
	 */
	public Mono<Void> removeSilently(String followerId, String followedId) {
		return this.follows.removeFollowing(followerId, followedId)
			.flatMap((before) -> reconcile(followerId, followedId, Optional.empty(), before))
			.then();
	}

	/**
	 * The same, with {@code following} last: for whoever reads there what is left to
	 * remove.
	 */
	Mono<Void> removeFollowerSilently(String followerId, String followedId) {
		return this.follows.since(followerId, followedId)
			.flatMap((since) -> this.followers.remove(followedId, followerId, since))
			.then(removeSilently(followerId, followedId));
	}

}
