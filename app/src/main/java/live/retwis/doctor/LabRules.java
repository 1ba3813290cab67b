package live.retwis.doctor;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import live.retwis.lab.LabRunRepository;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Checks the runs of the lab: their number and size are within bounds, and each is in the
 * list of runs.
 */
@Component
class LabRules implements RuleSet {

	private final StoreReader store;

	private final Repairs repairs;

	private final ListChecks lists;

	LabRules(StoreReader store, Repairs repairs, ListChecks lists) {
		this.store = store;
		this.repairs = repairs;
		this.lists = lists;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List.of(KeySchema.single(Keys.LAB_RUNS, "zset", (rest) -> runs()),
				new KeySchema(Keys.LAB_RUN, TimeSortedIdGenerator::isValid, "hash", this::run));
	}

	private Flux<Finding> runs() {
		String key = Keys.LAB_RUNS;
		return this.lists
			.bound(key, LabRunRepository.MOST, "removes the oldest", () -> this.repairs.trimRuns(LabRunRepository.MOST))
			.concatWith(this.lists.members(key,
					(member) -> this.store.exists(Keys.LAB_RUN + member.value())
						.filter((there) -> !there)
						.map((missing) -> this.lists.wrong(key, member,
								"names run " + member.value() + ", which does not exist"))));
	}

	/**
	 * Checks a run. A run that is not in the list is deleted, because only the lab writes
	 * runs.
	 */
	private Flux<Finding> run(String id) {
		String key = Keys.LAB_RUN + id;
		Mono<Finding> listed = this.store.score(Keys.LAB_RUNS, id)
			.filter(Optional::isEmpty)
			.map((missing) -> Finding.repairable(key, "is not in " + Keys.LAB_RUNS, "deletes it",
					() -> this.repairs.discardHash(key, Map.of())));
		Mono<Finding> size = this.store.length(key, "report")
			.filter((bytes) -> bytes > LabRunRepository.MOST_BYTES)
			.map((bytes) -> Finding.byHand(key, "has a report of more than " + LabRunRepository.MOST_BYTES + " bytes",
					"delete it by hand"));
		return Flux.concat(listed, size);
	}

}
