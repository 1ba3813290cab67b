package live.retwis.doctor;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import live.retwis.account.UserRepository;
import live.retwis.account.Username;
import live.retwis.redis.Ids;
import live.retwis.redis.Keys;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Users and names refer to each other, and sessions refer to users. */
@Component
class AccountRules implements Rules {

	private static final String DELETES_NAME = "deletes the name";

	private final StoreReader store;

	private final Repairs repairs;

	private final InFlightGrace inFlightGrace;

	AccountRules(StoreReader store, Repairs repairs, InFlightGrace inFlightGrace) {
		this.store = store;
		this.repairs = repairs;
		this.inFlightGrace = inFlightGrace;
	}

	@Override
	public List<KeySchema> families() {
		return List.of(new KeySchema(Keys.user(""), Ids::isValid, "hash", this::user),
				new KeySchema(Keys.username(""), AccountRules::isFolded, "string", this::name));
	}

	private static boolean isFolded(String name) {
		return Username.isValid(name) && Username.fold(name).equals(name);
	}

	/** Checks a user. A younger one may be a registration in progress. */
	private Flux<Finding> user(String id) {
		return this.inFlightGrace.isOver(Ids.millisOf(id))
			.filter(Boolean::booleanValue)
			.flatMap((old) -> this.store.fields(Keys.user(id), "username", "created", "auth", "password", "state",
					"deleted"))
			.flatMapMany((fields) -> {
				if (UserRepository.DELETED.equals(fields.get("state"))) {
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
			.filter(Boolean::booleanValue)
			.flatMap((old) -> fields.containsKey("username") ? Mono.just(true) : hasAnything(id))
			.filter(Boolean::booleanValue)
			.map((left) -> Finding
				.repairable(Keys.user(id), "has deleted the account, and something is left of it",
						"tells the workers again to clear it away", () -> this.repairs.logClosing(id))
				.afterFanOut())
			.flux();
	}

	private Mono<Boolean> hasAnything(String id) {
		return Flux
			.just(Keys.postsOf(id), Keys.pulledOf(id), Keys.following(id), Keys.followers(id), Keys.homeTimeline(id))
			.concatMap(this.store::exists)
			.any(Boolean::booleanValue);
	}

	private Flux<Finding> named(String id, Map<String, String> fields) {
		String name = nameOf(fields);
		return leadsTo(name, id).flatMapMany((leads) -> leads ? complete(id, fields) : nameless(id, fields, name));
	}

	private static String nameOf(Map<String, String> fields) {
		return Keys.username(Username.fold(fields.getOrDefault("username", "")));
	}

	private Mono<Boolean> leadsTo(String name, String id) {
		return this.store.value(name).map((owner) -> owner.filter(id::equals).isPresent());
	}

	private static Flux<Finding> complete(String id, Map<String, String> fields) {
		return Flux.fromStream(Stream.of("created", "auth", "password", "state"))
			.filter((field) -> !fields.containsKey(field))
			.map((field) -> Finding.byHand(Keys.user(id), "has no " + field, "set it by hand"));
	}

	/**
	 * A user whom no name refers to. If the user has no posts or follows, a registration
	 * broke off. Otherwise it is a person who has lost their name.
	 */
	private Flux<Finding> nameless(String id, Map<String, String> fields, String name) {
		String key = Keys.user(id);
		String what = name.isEmpty() ? "has no name" : name + " does not lead to it";
		return Flux.just(Keys.postsOf(id), Keys.following(id), Keys.followers(id))
			.concatMap(this.store::exists)
			.any(Boolean::booleanValue)
			.map((alive) -> alive ? Finding.byHand(key, what, "it has posts or follows: give it a name by hand")
					: Finding.repairable(key, what, "deletes the user", () -> discard(id, fields)))
			.flux();
	}

	private Mono<Void> discard(String id, Map<String, String> fields) {
		String key = Keys.user(id);
		Map<String, String> seen = Map.of("username", fields.getOrDefault("username", ""), "created",
				fields.getOrDefault("created", ""));
		return this.repairs.guarded(key, (owner) -> leadsTo(nameOf(fields), id).filter((leads) -> !leads)
			.flatMap((still) -> this.repairs.discardHash(key, seen, owner)));
	}

	/**
	 * Checks a name. Registration writes the user before the name, so a name without a
	 * user is never a write in progress.
	 */
	private Flux<Finding> name(String name) {
		return this.store.value(Keys.username(name))
			.flatMapMany((id) -> Flux.fromStream(id.stream()))
			.flatMap((id) -> check(name, id));
	}

	private Mono<Finding> check(String name, String id) {
		String key = Keys.username(name);
		return problem(name, id).map((what) -> Finding.repairable(key, what, DELETES_NAME, () -> this.repairs
			.guarded(key, (owner) -> problem(name, id).flatMap((still) -> this.repairs.discardValue(key, id, owner)))));
	}

	private Mono<String> problem(String name, String id) {
		return this.store.fields(Keys.user(id), "username", "created").flatMap((user) -> {
			if (user.isEmpty()) {
				return Mono.just("names user " + id + ", who is not there");
			}
			String called = user.getOrDefault("username", "");
			return Username.fold(called).equals(name) ? Mono.empty()
					: Mono.just("names user " + id + ", whose name is " + called);
		});
	}

}
