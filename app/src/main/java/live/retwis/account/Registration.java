package live.retwis.account;

import java.util.Set;
import java.util.function.Function;

import live.retwis.locking.GuardedWrites;
import live.retwis.locks.Lease;
import live.retwis.locks.LeaseExpired;
import live.retwis.locks.LockTaken;
import live.retwis.locks.NoQuorum;
import live.retwis.log.Intent;
import live.retwis.log.IntentRecovery;
import live.retwis.log.Intents;
import live.retwis.logging.RequestId;
import live.retwis.redis.Keys;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.redis.TimeSortedIdGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Creates accounts. The commit is a single script that gives the name to the user while a
 * lease guards the name. Until then nothing refers to the user. The steps after it can be
 * repeated or lost.
 */
@Component
public class Registration implements IntentRecovery {

	private static final Logger log = LoggerFactory.getLogger(Registration.class);

	private final UsernameRepository usernames;

	private final UserRepository users;

	private final NewUserIndexWriter lists;

	private final PasswordHasher passwords;

	private final TimeSortedIdGenerator ids;

	private final GuardedWrites guard;

	private final Intents intents;

	Registration(UsernameRepository usernames, UserRepository users, NewUserIndexWriter lists, PasswordHasher passwords,
			TimeSortedIdGenerator ids, GuardedWrites guard, Intents intents) {
		this.usernames = usernames;
		this.users = users;
		this.lists = lists;
		this.passwords = passwords;
		this.ids = ids;
		this.guard = guard;
		this.intents = intents;
	}

	/**
	 * Registers a user. The name must be valid.
	 * @return the new user; {@link NameTakenException} when the name is taken,
	 * {@link RegistrationPausedException} when it cannot be decided now whose name it is
	 */
	public Mono<User> register(String username, String password) {
		return register(username, "", password);
	}

	/** The same for a user who has a bio from the beginning. */
	public Mono<User> register(String username, String bio, String password) {
		return requireFree(username).then(Mono.zip(this.passwords.encode(password), this.ids.next(), (encoded, id) -> {
			User user = User.fresh(id.id(), username, bio, id.millis());
			String name = UsernameRules.fold(username);
			Intent intent = Intent.of(Intent.Kind.REGISTRATION, user.id(), name);
			return this.guard.write(intent, Keys.username(name), (lease) -> create(intent, user, encoded, lease),
					(registered) -> registered
						.onErrorResume(LeaseExpired.class,
								(expired) -> owner(user).flatMap((owner) -> resolve(user, owner)))
						.onErrorResume(LockTaken.class, (taken) -> requireFree(username).then(Mono.empty()))
						.onErrorResume(NoQuorum.class, (none) -> Mono.empty())
						.flatMap((done) -> addDerived(intent, done)));
		})).flatMap(Function.identity()).switchIfEmpty(Mono.error(RegistrationPausedException::new));
	}

	private Mono<Void> requireFree(String username) {
		return this.usernames.readId(username).flatMap((owner) -> Mono.error(new NameTakenException(username)));
	}

	private Mono<User> create(Intent intent, User user, String encoded, Lease lease) {
		return requireFree(user.username())
			.onErrorResume(NameTakenException.class, (taken) -> this.intents.notBegun(intent, taken))
			.then(this.users.create(user, encoded))
			.flatMap((mine) -> mine ? commit(user, encoded, lease) : this.intents.notBegun(intent,
					new IllegalStateException("the id " + user.id() + " belongs to another user")));
	}

	/**
	 * Gives the name to the user. If the answer is lost, both are written again, which
	 * changes nothing when it has happened. If that is not answered either, the outcome
	 * stays unknown, and the intent makes sure that all of it happens or nothing.
	 * @return the user; empty when another lease guards the name by now
	 */
	private Mono<User> commit(User user, String encoded, Lease lease) {
		InDoubtCommitResolver sent = new InDoubtCommitResolver();
		Mono<String> commit = this.usernames.commit(user, lease);
		return sent.send(commit)
			.onErrorResume(RedisErrorClassifier::isAway,
					(away) -> sent.ask(this.users.create(user, encoded).then(commit), away))
			.flatMap((owner) -> resolve(user, owner))
			.switchIfEmpty(Mono.defer(() -> this.users.discard(user.id(), user.username())
				.then(requireFree(user.username()))
				.then(Mono.empty())));
	}

	private Mono<String> owner(User user) {
		return this.usernames.readId(user.username());
	}

	private Mono<User> resolve(User user, String owner) {
		return owner.equals(user.id()) ? Mono.just(user) : this.users.discard(user.id(), user.username())
			.then(Mono.error(new NameTakenException(user.username())));
	}

	/**
	 * Writes what is derived from the registration. If this fails, the intent makes sure
	 * that it is done later.
	 */
	private Mono<User> addDerived(Intent intent, User user) {
		return this.intents.declaringAgain(intent, Intents.SHORT, this.lists.add(user))
			.then(this.intents.drop(intent))
			.onErrorResume((error) -> Mono.deferContextual((context) -> {
				RequestId.in(log.atWarn(), context)
					.setCause(error)
					.log("User {} is registered, but not in all lists of users yet", user.id());
				return Mono.empty();
			}))
			.thenReturn(user);
	}

	@Override
	public Set<Intent.Kind> kinds() {
		return Set.of(Intent.Kind.REGISTRATION);
	}

	/**
	 * Finishes a registration: either the name refers to the user, or the user is
	 * removed. The lease keeps out a commit that is still on its way. On a cluster, a
	 * fail-over may have lost the user, but not the name. Then the name is free again. A
	 * user who has deleted the account meanwhile still has the name, until it is removed.
	 */
	@Override
	public Mono<Void> finish(Intent intent) {
		return this.guard.repairNow(Keys.username(intent.detail()),
				(lease) -> this.usernames.readId(intent.detail())
					.filter(intent.subject()::equals)
					.flatMap((mine) -> this.users.nameOf(mine)
						.map((name) -> this.users.readUser(mine).flatMap(this.lists::add))
						.defaultIfEmpty(this.usernames.free(mine, intent.detail()))
						.flatMap(Function.identity())
						.thenReturn(mine))
					.switchIfEmpty(Mono.defer(() -> discard(intent).then(Mono.empty())))
					.then());
	}

	/**
	 * Two instances may make the same id. Then the user is another one, who stays. A user
	 * without a name is half written.
	 */
	private Mono<Void> discard(Intent intent) {
		return this.users.nameOf(intent.subject())
			.defaultIfEmpty("")
			.filter((name) -> name.isEmpty() || UsernameRules.fold(name).equals(intent.detail()))
			.flatMap((name) -> this.users.discard(intent.subject(), name));
	}

	/** The name is taken. */
	public static class NameTakenException extends RuntimeException {

		NameTakenException(String username) {
			super("the name " + username + " is taken");
		}

	}

	/** Too few lock nodes answer, or somebody else is registering the name. */
	public static class RegistrationPausedException extends RuntimeException {

		RegistrationPausedException() {
			super("too few lock nodes answer, or somebody else registers the name");
		}

	}

}
