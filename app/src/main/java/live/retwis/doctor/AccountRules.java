package live.retwis.doctor;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import live.retwis.account.AccountStateRepository;
import live.retwis.account.RecentUsers;
import live.retwis.account.UserSearchIndex;
import live.retwis.account.UsernameRules;
import live.retwis.redis.Keys;
import live.retwis.redis.PrefixIndex;
import live.retwis.redis.TimeSortedIdGenerator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Users and names refer to each other. The lists of new users and of users who have
 * deleted their accounts match the users.
 */
@Component
class AccountRules implements RuleSet {

	private final StoreReader store;

	private final Repairs repairs;

	private final ListChecks lists;

	private final InFlightGrace inFlightGrace;

	private final SuspensionRules suspensions;

	private final PictureRules pictures;

	AccountRules(StoreReader store, Repairs repairs, ListChecks lists, InFlightGrace inFlightGrace,
			SuspensionRules suspensions, PictureRules pictures) {
		this.store = store;
		this.repairs = repairs;
		this.lists = lists;
		this.inFlightGrace = inFlightGrace;
		this.suspensions = suspensions;
		this.pictures = pictures;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List.of(new KeySchema(Keys.user(""), TimeSortedIdGenerator::isValid, "hash", this::user),
				new KeySchema(Keys.username(""), AccountRules::isFolded, "string", this::name),
				KeySchema.single(Keys.RECENT_USERS, "zset", (rest) -> recentUsers()),
				KeySchema.single(Keys.CLOSED_ACCOUNTS, "zset", (rest) -> closedAccounts()));
	}

	private static boolean isFolded(String name) {
		return UsernameRules.isValid(name) && UsernameRules.fold(name).equals(name);
	}

	/** Checks a user. A younger one may be a registration in progress. */
	private Flux<Finding> user(String id) {
		return this.inFlightGrace.isOver(TimeSortedIdGenerator.millisOf(id))
			.flatMap((old) -> this.store.fields(Keys.user(id), "username", "created", "auth", "password", "state",
					"deleted", "suspended", "picture"))
			.flatMapMany((fields) -> {
				if (AccountStateRepository.DELETED.equals(fields.get("state"))) {
					return deleted(id, fields);
				}
				return fields.containsKey("username") ? named(id, fields) : nameless(id, fields, "");
			});
	}

	/**
	 * Checks a user who has deleted the account. Workers hear of it after the commit, and
	 * may still be removing the data.
	 */
	private Flux<Finding> deleted(String id, Map<String, String> fields) {
		return this.inFlightGrace.isOver(Long.parseLong(fields.getOrDefault("deleted", "0")))
			.flatMap((old) -> fields.containsKey("username") ? Mono.just(true) : hasAnything(id))
			.filter(Boolean::booleanValue)
			.map((left) -> Finding.repairable(Keys.user(id), "has deleted the account, but some data is left",
					"logs the deletion again, so that the workers remove the data", () -> this.repairs.logClosing(id))
				.afterFanOut())
			.flux();
	}

	private Mono<Boolean> hasAnything(String id) {
		return Flux
			.just(Keys.picture(id), Keys.postsOf(id), Keys.pulledOf(id), Keys.following(id), Keys.followers(id),
					Keys.homeTimeline(id))
			.concatMap(this.store::exists)
			.any(Boolean::booleanValue);
	}

	private Flux<Finding> named(String id, Map<String, String> fields) {
		String name = nameOf(fields);
		return refersTo(name, id).flatMapMany(
				(refers) -> refers ? complete(id, fields).concatWith(found(id, fields)) : nameless(id, fields, name));
	}

	private static String nameOf(Map<String, String> fields) {
		return Keys.username(UsernameRules.fold(fields.getOrDefault("username", "")));
	}

	private Mono<Boolean> refersTo(String name, String id) {
		return this.store.value(name).map((owner) -> owner.filter(id::equals).isPresent());
	}

	private Flux<Finding> complete(String id, Map<String, String> fields) {
		return Flux.fromStream(Stream.of("created", "auth", "password", "state"))
			.filter((field) -> !fields.containsKey(field))
			.map((field) -> Finding.byHand(Keys.user(id), "has no " + field, "set it by hand"))
			.concatWith(this.suspensions.unlisted(id, fields))
			.concatWith(this.pictures.missing(id, fields));
	}

	/** The search must find the user by the username. */
	private Mono<Finding> found(String id, Map<String, String> fields) {
		String text = searchText(id, fields);
		String index = PrefixIndex.key(Keys.NAMES, text);
		return isFound(id, fields).filter((found) -> !found)
			.map((missing) -> Finding.repairable(Keys.user(id), "is not in " + index, "adds it",
					() -> this.repairs.add(index, text, 0)));
	}

	private Mono<Boolean> isFound(String id, Map<String, String> fields) {
		String text = searchText(id, fields);
		return this.store.score(PrefixIndex.key(Keys.NAMES, text), text).map(Optional::isPresent);
	}

	private static String searchText(String id, Map<String, String> fields) {
		return UserSearchIndex.text(UsernameRules.fold(fields.getOrDefault("username", "")), id);
	}

	/**
	 * A user whom no name refers to. If the user has nothing, and the search has never
	 * found the user, a registration broke off. Otherwise it is a person who has lost
	 * their name.
	 */
	private Flux<Finding> nameless(String id, Map<String, String> fields, String name) {
		String key = Keys.user(id);
		String what = name.isEmpty() ? "has no name" : name + " does not refer to it";
		return Flux.concat(this.store.hasTraces(id), isFound(id, fields))
			.any(Boolean::booleanValue)
			.map((alive) -> alive ? Finding.byHand(key, what, "it is in use: give it a name by hand")
					: Finding.repairable(key, what, "deletes the user", () -> discard(id, fields)))
			.flux();
	}

	private Mono<Void> discard(String id, Map<String, String> fields) {
		String key = Keys.user(id);
		Map<String, String> seen = Map.of("username", fields.getOrDefault("username", ""), "created",
				fields.getOrDefault("created", ""));
		return this.repairs.guarded(key, (owner) -> refersTo(nameOf(fields), id).filter((refers) -> !refers)
			.flatMap((still) -> this.repairs.discardHash(key, seen, owner)));
	}

	/**
	 * Checks a name. Registration writes the user before the name, so a name without a
	 * user is never a write in progress. A backup may have the user, unless the account
	 * is deleted.
	 */
	private Flux<Finding> name(String name) {
		return this.store.value(Keys.username(name))
			.flatMapMany((id) -> Flux.fromStream(id.stream()))
			.flatMap((id) -> check(name, id));
	}

	private Mono<Finding> check(String name, String id) {
		String key = Keys.username(name);
		Finding lost = Finding.byHand(key, "refers to user " + id + ", who does not exist",
				"restore the user or delete the name by hand");
		Mono<Boolean> isWrong = this.store.isMissing(id)
			.flatMap((missing) -> missing ? Mono.just(false) : problem(name, id).hasElement());
		return this.store.isMissing(id)
			.flatMap((missing) -> missing ? Mono.just(lost)
					: problem(name, id)
						.map((what) -> Finding.repairable(key, what, "deletes the name", () -> this.repairs.guarded(key,
								(owner) -> Repairs.ifStill(isWrong, this.repairs.discardValue(key, id, owner))))));
	}

	private Mono<String> problem(String name, String id) {
		return this.store.fields(Keys.user(id), "username", "created").flatMap((user) -> {
			if (user.isEmpty()) {
				return Mono.just("refers to user " + id + ", who does not exist");
			}
			String called = user.getOrDefault("username", "");
			return UsernameRules.fold(called).equals(name) ? Mono.empty()
					: Mono.just("refers to user " + id + ", whose name is " + called);
		});
	}

	private Flux<Finding> recentUsers() {
		String key = Keys.RECENT_USERS;
		return this.lists.bound(key, RecentUsers.MOST)
			.concatWith(this.lists.members(key, (member) -> this.lists.userOf(key, member)));
	}

	/**
	 * Every member must have deleted the account. The log has told of each of them, so a
	 * fail-over has lost the deletion of a user who is there.
	 */
	private Flux<Finding> closedAccounts() {
		return this.lists.members(Keys.CLOSED_ACCOUNTS, (member) -> this.store.isUser(member.value())
			.filter(Boolean::booleanValue)
			.map((there) -> Finding
				.repairable(Keys.CLOSED_ACCOUNTS, "holds user " + member.value() + ", whose account is not deleted",
						"logs the deletion again, so that the workers delete the account",
						() -> this.repairs.logClosing(member.value()))
				.afterFanOut()));
	}

}
