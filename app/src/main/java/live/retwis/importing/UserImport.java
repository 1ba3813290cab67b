package live.retwis.importing;

import live.retwis.account.ImportedAccountRegistration;
import live.retwis.account.User;
import live.retwis.importing.ImportCounts.Kind;
import live.retwis.redis.DataClock;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Imports the users. Passwords are encoded concurrently. Names are given one after the
 * other, in the order of the users' numbers, so that the oldest account keeps its name.
 */
@Component
class UserImport {

	/** Users whose passwords are encoded at the same time. */
	private static final int CONCURRENCY = 32;

	private final ImportedAccountRegistration accounts;

	private final DataClock clock;

	private final ImportMarkRepository marks;

	UserImport(ImportedAccountRegistration accounts, DataClock clock, ImportMarkRepository marks) {
		this.accounts = accounts;
		this.clock = clock;
		this.marks = marks;
	}

	/**
	 * Imports all users. One who was imported before and is gone stays so.
	 * @return lines that report it; {@link OtherRetwisException} when a user's id belongs
	 * to somebody else
	 */
	Flux<String> run(RetwisLayout layout, ImportedUserIndex users, ImportCounts counts) {
		return this.marks.beyond(Kind.USER,
				(mark) -> users.all()
					.flatMapSequential(layout::user, RetwisLayout.READ_AT_ONCE)
					.flatMapSequential((user) -> prepare(user, mark, users, counts), CONCURRENCY, CONCURRENCY)
					.concatMap((inTurn) -> inTurn, 1));
	}

	/**
	 * Does what can be done in any order.
	 * @return what is left to do when it is this user's turn
	 */
	private Mono<Flux<String>> prepare(RetwisUser user, ImportMark mark, ImportedUserIndex users, ImportCounts counts) {
		if (user.name().isEmpty()) {
			return Mono.just(counts.skipped(Kind.USER, label(user) + " has no name"));
		}
		boolean before = mark.pass(user.number());
		Flux<String> gone = counts.skipped(Kind.USER, label(user) + " has deleted the account here");
		return this.accounts.find(ImportedUserIndex.idOf(user.number()))
			.map((here) -> ImportedName.of(user).isOneOf(here.username()) ? done(user, here, users, counts)
					: Flux.<String>error(new OtherRetwisException(label(user), here.username())))
			.switchIfEmpty(before ? Mono.just(gone) : Mono.defer(() -> this.accounts.encode(user.password()))
				.map((encoded) -> create(user, encoded).flatMapMany((created) -> done(user, created, users, counts))))
			.onErrorResume(ImportedAccountRegistration.AccountClosedException.class, (closed) -> Mono.just(gone));
	}

	private Mono<User> create(RetwisUser user, String encoded) {
		return this.clock.millis()
			.flatMap((now) -> this.accounts.create(ImportedUserIndex.idOf(user.number()),
					ImportedName.of(user)::attempt, encoded, RetwisTime.millis(user.registered(), now).orElse(now)));
	}

	private static Flux<String> done(RetwisUser user, User here, ImportedUserIndex users, ImportCounts counts) {
		users.add(user.number());
		Flux<String> renamed = here.username().equals(user.name()) ? Flux.empty()
				: Flux.just("Renamed: " + label(user) + " is " + here.username() + " here");
		Flux<String> locked = ImportedAccountRegistration.isUsable(user.password()) ? Flux.empty()
				: Flux.just("Locked: " + label(user) + " cannot log in, because the password is missing or no text");
		return Flux.concat(renamed, locked, counts.done(Kind.USER));
	}

	private static String label(RetwisUser user) {
		return "user " + user.number() + (user.name().isEmpty() ? "" : " (" + RetwisText.printable(user.name()) + ")");
	}

	/** Another Retwis was imported before. */
	static class OtherRetwisException extends RuntimeException {

		OtherRetwisException(String user, String here) {
			super("The place of " + user + " belongs to @" + here + " here. Was another Retwis imported before? "
					+ "Only one can be.");
		}

	}

}
