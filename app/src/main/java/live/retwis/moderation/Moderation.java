package live.retwis.moderation;

import live.retwis.account.AccountSuspension;
import live.retwis.account.RegistrationMode;
import live.retwis.account.RegistrationSwitch;
import live.retwis.account.UsernameRepository;
import live.retwis.post.PostDeletion;
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

	private final UsernameRepository usernames;

	private final AccountSuspension suspension;

	private final PostDeletion deletion;

	private final AuthorPostsDeletion authorPosts;

	private final RegistrationSwitch registration;

	private final ModerationLog log;

	Moderation(UsernameRepository usernames, AccountSuspension suspension, PostDeletion deletion,
			AuthorPostsDeletion authorPosts, RegistrationSwitch registration, ModerationLog log) {
		this.usernames = usernames;
		this.suspension = suspension;
		this.deletion = deletion;
		this.authorPosts = authorPosts;
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
	 * Deletes all posts of a user, as the user could, the newest first. Those that no
	 * worker of the site has listed yet stay.
	 * @param who the operator
	 * @return what has become of them; {@link ModerationRefusedException} when there is
	 * no such user
	 */
	public Mono<String> deletePosts(String who, String username) {
		return this.usernames.findId(username)
			.switchIfEmpty(refuse("There is no user " + username + "."))
			.flatMap((userId) -> this.log.add(who, "delete-posts " + username).then(this.authorPosts.delete(userId)))
			.map((number) -> "Posts of @" + username + " that are deleted: " + number + ".");
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
