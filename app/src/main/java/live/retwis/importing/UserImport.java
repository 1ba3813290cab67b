package live.retwis.importing;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

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

	private final HighestImportedNumberRepository marks;

	UserImport(ImportedAccountRegistration accounts, DataClock clock, HighestImportedNumberRepository marks) {
		this.accounts = accounts;
		this.clock = clock;
		this.marks = marks;
	}

	/**
	 * Imports all users. One who was imported before and is gone stays so.
	 * @param given the last number of a user that was given before the import began
	 * @return lines that report it; {@link OtherRetwisException} when the first user is
	 * not who it was, or a user's id belongs to somebody else
	 */
	Flux<String> run(RetwisLayout layout, long given, ImportedUserIndex users, ImportCounts counts) {
		return users.all()
			.next()
			.flatMap(layout::user)
			.flatMapMany((first) -> requireSameSource(first)
				.thenMany(this.marks.beyond(Kind.USER, given, (mark) -> add(layout, mark, users, counts)))
				.concatWith(this.marks.noteSource(number(first)).then(Mono.empty())));
	}

	/**
	 * The ids of users tell it, too, but not once the users who were imported before have
	 * deleted their accounts.
	 */
	private Mono<Void> requireSameSource(RetwisUser first) {
		return this.marks.source()
			.filter((source) -> source != number(first))
			.flatMap((other) -> Mono
				.error(new OtherRetwisException("The first user is " + label(first) + ", which is not who it was.")));
	}

	/** A number by which one PHP Retwis is told from another. */
	private static long number(RetwisUser first) {
		CRC32 checksum = new CRC32();
		checksum.update((first.number() + " " + first.name()).getBytes(StandardCharsets.UTF_8));
		return checksum.getValue();
	}

	private Flux<String> add(RetwisLayout layout, HighestImportedNumber mark, ImportedUserIndex users,
			ImportCounts counts) {
		return users.all()
			.flatMapSequential(layout::user, RetwisLayout.READ_AT_ONCE)
			.flatMapSequential((user) -> prepare(user, mark, users, counts), CONCURRENCY, CONCURRENCY)
			.concatMap((inTurn) -> inTurn, 1);
	}

	/**
	 * Does what can be done in any order.
	 * @return what is left to do when it is this user's turn
	 */
	private Mono<Flux<String>> prepare(RetwisUser user, HighestImportedNumber mark, ImportedUserIndex users,
			ImportCounts counts) {
		if (user.name().isEmpty()) {
			return Mono.just(counts.skipped(Kind.USER, label(user) + " has no name"));
		}
		Flux<String> gone = counts.skipped(Kind.USER, label(user) + " has deleted the account here");
		Mono<Flux<String>> absent = mark.pass(user.number()) ? Mono.just(gone)
				: Mono.defer(() -> encodeAndCreate(user, users, counts));
		return this.accounts.find(ImportedUserIndex.idOf(user.number()))
			.map((here) -> requireSameName(user, here).thenMany(done(user, here, users, counts)))
			.switchIfEmpty(absent)
			.onErrorResume(ImportedAccountRegistration.AccountClosedException.class, (closed) -> Mono.just(gone));
	}

	private static Mono<Void> requireSameName(RetwisUser user, User here) {
		return ImportedName.of(user).isOneOf(here.username()) ? Mono.empty() : Mono.error(
				new OtherRetwisException("The place of " + label(user) + " belongs to @" + here.username() + " here."));
	}

	private Mono<Flux<String>> encodeAndCreate(RetwisUser user, ImportedUserIndex users, ImportCounts counts) {
		return this.accounts.encode(user.password())
			.map((encoded) -> create(user, encoded).flatMapMany((created) -> done(user, created, users, counts)));
	}

	private Mono<User> create(RetwisUser user, String encoded) {
		String id = ImportedUserIndex.idOf(user.number());
		ImportedName name = ImportedName.of(user);
		return this.clock.millis()
			.flatMap((now) -> this.accounts.create(id, name::attempt, encoded,
					RetwisTime.millis(user.registered(), now).orElse(now)));
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

		OtherRetwisException(String difference) {
			super(difference + " Was another Retwis imported before? Only one can be.");
		}

	}

}
