package live.retwis.account;

import java.util.function.IntFunction;

import live.retwis.redis.RandomTokens;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Creates accounts that come from another site. Every step can be repeated, so a broken
 * off import can go on. No lock is needed: the user is written before the name, and a
 * name is only taken where nobody has it.
 */
@Component
public class ImportedAccountRegistration {

	/** Stands for bytes that are not UTF-8. A browser would send other bytes for it. */
	private static final char NO_TEXT = '\uFFFD';

	private final UsernameRepository usernames;

	private final UserRepository users;

	private final AccountStateRepository accounts;

	private final NewUserIndexWriter lists;

	private final PasswordHasher passwords;

	ImportedAccountRegistration(UsernameRepository usernames, UserRepository users, AccountStateRepository accounts,
			NewUserIndexWriter lists, PasswordHasher passwords) {
		this.usernames = usernames;
		this.users = users;
		this.accounts = accounts;
		this.lists = lists;
		this.passwords = passwords;
	}

	/**
	 * A user who was imported before, and has a name.
	 * @return empty when there is none; {@link AccountClosedException} when the user has
	 * deleted the account
	 */
	public Mono<User> find(String userId) {
		return this.users.readUser(userId)
			.filterWhen((user) -> this.usernames.readId(user.username()).map(userId::equals).defaultIfEmpty(false))
			.flatMap((user) -> this.lists.add(user).thenReturn(user))
			.switchIfEmpty(Mono.defer(() -> this.accounts.isDeleted(userId))
				.flatMap((deleted) -> deleted ? Mono.error(new AccountClosedException()) : Mono.empty()));
	}

	/** Whether a user can log in with this password. */
	public static boolean isUsable(String password) {
		return !password.isEmpty() && password.indexOf(NO_TEXT) < 0;
	}

	/**
	 * Encodes a password. Instead of a password that cannot be used it encodes one that
	 * nobody knows.
	 */
	public Mono<String> encode(String password) {
		return this.passwords.encodeQuickly(isUsable(password) ? password : RandomTokens.ofBits(256));
	}

	/**
	 * Creates a user with the first name that is free.
	 * @param names the name to try first, second and so on, from 1
	 * @param created when the user registered, ms since the epoch
	 */
	public Mono<User> create(String userId, IntFunction<String> names, String encodedPassword, long created) {
		return create(userId, names, 1, encodedPassword, created);
	}

	private Mono<User> create(String userId, IntFunction<String> names, int number, String encodedPassword,
			long created) {
		String name = names.apply(number);
		User user = User.fresh(userId, name, "", created);
		return this.users.createAgain(user, encodedPassword)
			.then(this.usernames.take(user))
			.flatMap((taken) -> taken ? this.lists.add(user).thenReturn(user)
					: create(userId, names, number + 1, encodedPassword, created));
	}

	/** The user has deleted the account. */
	public static class AccountClosedException extends RuntimeException {

		AccountClosedException() {
			super("the account is deleted", null, false, false);
		}

	}

}
