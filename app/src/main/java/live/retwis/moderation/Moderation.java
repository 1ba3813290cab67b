package live.retwis.moderation;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

import live.retwis.account.AccountSuspension;
import live.retwis.account.RegistrationMode;
import live.retwis.account.RegistrationSwitch;
import live.retwis.account.UsernameRepository;
import live.retwis.post.PostDeletion;
import live.retwis.post.PostListRepository;
import live.retwis.post.PostRepository;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * What the command {@code moderate} changes. Each act is noted before it is done, so that
 * none goes unnoticed. The note tells what was asked for, also when it then failed. Every
 * act can be repeated.
 */
@Component
public class Moderation {

	/** Places of a list that are read at once. */
	private static final int PAGE = 500;

	private static final int CONCURRENCY = 8;

	private final UsernameRepository usernames;

	private final AccountSuspension suspension;

	private final PostDeletion deletion;

	private final PostListRepository lists;

	private final RegistrationSwitch registration;

	private final ModerationLog log;

	Moderation(UsernameRepository usernames, AccountSuspension suspension, PostDeletion deletion,
			PostListRepository lists, RegistrationSwitch registration, ModerationLog log) {
		this.lists = lists;
		this.usernames = usernames;
		this.suspension = suspension;
		this.deletion = deletion;
		this.registration = registration;
		this.log = log;
	}

	/**
	 * Deletes a post, whoever wrote it.
	 * @param who the operator
	 * @return what has become of it; {@link ModerationRefusedException} when there is no
	 * such post
	 */
	public Mono<String> deletePost(String who, String postId) {
		String missing = "There is no post " + postId + ".";
		return !TimeSortedIdGenerator.isValid(postId) ? refuse(missing)
				: this.log.add(who, "delete-post " + postId)
					.then(this.deletion.delete(postId))
					.flatMap((deletion) -> switch (deletion) {
						case DONE -> Mono.just("Post " + postId + " is deleted.");
						case BEFORE -> Mono.just("Post " + postId + " was deleted before.");
						case OTHER, GONE -> refuse(missing);
					});
	}

	/**
	 * Deletes all posts of a user that Redis has, as the user could, the newest first.
	 * Those that are only in the archive stay, and so do those that no worker of the site
	 * has listed yet.
	 * @param who the operator
	 * @return what has become of them; {@link ModerationRefusedException} when there is
	 * no such user
	 */
	public Mono<String> deletePosts(String who, String username) {
		return this.usernames.findId(username)
			.switchIfEmpty(refuse("There is no user " + username + "."))
			.flatMap((userId) -> this.log.add(who, "delete-posts " + username).then(deleteAll(userId)))
			.map((number) -> "Posts of @" + username + " that are deleted: " + number + ".");
	}

	/**
	 * A post leaves its author's list when the workers of the site come to it. So each
	 * page begins where the one before ended. The list of an author with archived posts
	 * also has marks, which are no ids.
	 */
	private Mono<Long> deleteAll(String userId) {
		String list = Keys.postsOf(userId);
		return this.lists.newest(list, Optional.empty(), PAGE)
			.expand((page) -> (page.size() < PAGE) ? Mono.empty()
					: this.lists.newest(list, Optional.of(page.get(PAGE - 1)), PAGE))
			.flatMapIterable(Function.identity(), 1)
			.map(Cursor::member)
			.filter(TimeSortedIdGenerator::isValid)
			.flatMap((postId) -> this.deletion.delete(postId), CONCURRENCY)
			.filter(Predicate.isEqual(PostRepository.Deletion.DONE))
			.count();
	}

	/**
	 * Ends all sessions of a user, who cannot log in until {@link #restore}, and hides
	 * the user and the user's posts.
	 * @param who the operator
	 * @return what has become of it; {@link ModerationRefusedException} when there is no
	 * such user
	 */
	public Mono<String> suspend(String who, String username) {
		return setSuspended(who, "suspend", username, true).thenReturn("@" + username + " is suspended.");
	}

	/**
	 * Undoes {@link #suspend}.
	 * @param who the operator
	 * @return what has become of it; {@link ModerationRefusedException} when there is no
	 * such user
	 */
	public Mono<String> restore(String who, String username) {
		return this.usernames.findId(username)
			.flatMap(this.suspension::isSuspended)
			.defaultIfEmpty(false)
			.flatMap((before) -> setSuspended(who, "restore", username, false)
				.thenReturn("@" + username + (before ? " is restored." : " was not suspended.")));
	}

	private Mono<Void> setSuspended(String who, String what, String username, boolean suspended) {
		return this.usernames.findId(username)
			.flatMap((userId) -> this.log.add(who, what + " " + username).then(this.suspension.set(userId, suspended)))
			.filter(Boolean::booleanValue)
			.switchIfEmpty(refuse("There is no user " + username + "."))
			.then();
	}

	/**
	 * Lets visitors register or not.
	 * @param who the operator
	 * @return what has become of it
	 */
	public Mono<String> setRegistration(String who, RegistrationMode mode) {
		return this.log.add(who, "registration " + mode.text())
			.then(this.registration.set(mode))
			.thenReturn("Registration is " + mode.text() + ".");
	}

	private static <T> Mono<T> refuse(String why) {
		return Mono.error(() -> new ModerationRefusedException(why));
	}

	/** What was asked for cannot be done. */
	public static class ModerationRefusedException extends RuntimeException {

		ModerationRefusedException(String why) {
			super(why);
		}

	}

}
