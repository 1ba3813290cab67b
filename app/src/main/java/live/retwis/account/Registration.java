package live.retwis.account;

import live.retwis.redis.Ids;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Makes an account. Its one commit is the script that gives the name to the user; until
 * then nothing leads to the user, and what comes after can be repeated or lost.
 */
@Component
public class Registration {

	private static final Logger log = LoggerFactory.getLogger(Registration.class);

	private final UserRepository users;

	private final Passwords passwords;

	private final Ids ids;

	Registration(UserRepository users, Passwords passwords, Ids ids) {
		this.users = users;
		this.passwords = passwords;
		this.ids = ids;
	}

	/**
	 * Registers a valid name.
	 * @return the new user; {@link NameTaken} when the name is someone's
	 */
	public Mono<User> register(String username, String password) {
		return this.users.readId(username)
			.flatMap((owner) -> Mono.<String>error(new NameTaken(username)))
			.switchIfEmpty(this.passwords.encode(password))
			.flatMap((encoded) -> create(username, encoded))
			.flatMap(this::commit);
	}

	private Mono<User> create(String username, String encoded) {
		return this.ids.next()
			.map((id) -> User.of(id.id(), username, id.millis()))
			.flatMap((user) -> this.users.create(user, encoded)
				.flatMap((mine) -> mine ? Mono.just(user) : create(username, encoded)));
	}

	private Mono<User> commit(User user) {
		return this.users.commitUsername(user)
			.onErrorResume((error) -> outcome(user, error))
			.flatMap((owner) -> owner.equals(user.id()) ? committed(user)
					: this.users.discard(user).then(Mono.error(new NameTaken(user.username()))));
	}

	/**
	 * No answer says nothing about the commit; the name does. Where even that is not
	 * known nothing is deleted: the commit may still arrive.
	 */
	private Mono<String> outcome(User user, Throwable error) {
		return this.users.readId(user.username()).switchIfEmpty(Mono.error(error));
	}

	private Mono<User> committed(User user) {
		return this.users.addRecent(user).onErrorResume((error) -> {
			log.warn("User {} is registered, but not among the recent ones", user.id(), error);
			return Mono.empty();
		}).thenReturn(user);
	}

	/** The name is someone's. */
	public static class NameTaken extends RuntimeException {

		NameTaken(String username) {
			super("the name " + username + " is taken");
		}

	}

}
