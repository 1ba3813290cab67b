package live.retwis.doctor;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import live.retwis.account.AccountStateRepository;
import live.retwis.account.AccountSuspension;
import live.retwis.doctor.StoreReader.Member;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** The list of suspended users says the same as the users' states. */
@Component
class SuspensionRules implements RuleSet {

	private final StoreReader store;

	private final Repairs repairs;

	private final ListChecks lists;

	private final InFlightGrace inFlightGrace;

	private final AccountSuspension suspension;

	SuspensionRules(StoreReader store, Repairs repairs, ListChecks lists, InFlightGrace inFlightGrace,
			AccountSuspension suspension) {
		this.store = store;
		this.repairs = repairs;
		this.lists = lists;
		this.inFlightGrace = inFlightGrace;
		this.suspension = suspension;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List
			.of(KeySchema.single(Keys.SUSPENDED, "zset", (rest) -> this.lists.members(Keys.SUSPENDED, this::listed)));
	}

	private Mono<Finding> listed(Member member) {
		String id = member.value();
		return this.store.fields(Keys.user(id), "state")
			.flatMap((fields) -> Mono.justOrEmpty(fields.get("state")))
			.filter((state) -> !state.equals(AccountStateRepository.SUSPENDED))
			.map((state) -> Finding.repairable(Keys.SUSPENDED, "holds user " + id + ", who is not suspended",
					"removes it, and logs that the user is restored",
					() -> state.equals(AccountStateRepository.DELETED)
							? this.repairs.remove(Keys.SUSPENDED, id, member.score()) : this.suspension.tellAgain(id)))
			.switchIfEmpty(lost(id));
	}

	/** A backup may have the user, who must not be restored by that. */
	private Mono<Finding> lost(String id) {
		return this.store.isMissing(id)
			.filter(Boolean::booleanValue)
			.map((missing) -> Finding.byHand(Keys.SUSPENDED, "holds user " + id + ", who does not exist",
					"restore the user or remove it by hand"));
	}

	/** A suspended user must be in the list. A younger suspension may be in progress. */
	Mono<Finding> unlisted(String id, Map<String, String> fields) {
		return Mono.just(fields)
			.filter((user) -> AccountStateRepository.SUSPENDED.equals(user.get("state")))
			.flatMap((user) -> this.inFlightGrace.isOver(Long.parseLong(user.getOrDefault("suspended", "0"))))
			.flatMap((old) -> this.store.score(Keys.SUSPENDED, id))
			.filter(Optional::isEmpty)
			.map((missing) -> Finding.repairable(Keys.user(id), "is suspended, but not in " + Keys.SUSPENDED,
					"logs the suspension again", () -> this.suspension.tellAgain(id)));
	}

}
