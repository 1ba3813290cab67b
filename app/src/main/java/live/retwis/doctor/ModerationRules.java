package live.retwis.doctor;

import java.util.List;
import java.util.Optional;

import live.retwis.account.RegistrationMode;
import live.retwis.moderation.AbuseReportRepository;
import live.retwis.moderation.ModerationLog;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Reports and the list of reported posts refer to each other. Reports name nobody whose
 * account is deleted. They and the log of the operators keep their bounds. The marks of
 * the last import are numbers.
 */
@Component
class ModerationRules implements RuleSet {

	private final StoreReader store;

	private final Repairs repairs;

	private final ListChecks lists;

	private final AbuseReportRepository reports;

	ModerationRules(StoreReader store, Repairs repairs, ListChecks lists, AbuseReportRepository reports) {
		this.store = store;
		this.repairs = repairs;
		this.lists = lists;
		this.reports = reports;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List.of(KeySchema.single(Keys.REGISTRATION, "string", (rest) -> registration()),
				KeySchema.single(Keys.MODERATION_LOG, "zset",
						(rest) -> this.lists.bound(Keys.MODERATION_LOG, ModerationLog.MOST)),
				KeySchema.single(Keys.IMPORT_MARKS, "hash", (rest) -> importMarks()),
				KeySchema.single(Keys.REPORTS, "zset", (rest) -> reports()),
				new KeySchema(Keys.REPORTS_OF, TimeSortedIdGenerator::isValid, "hash", this::reportsOf));
	}

	private Flux<Finding> registration() {
		return this.store.value(Keys.REGISTRATION)
			.filter((value) -> value.filter((text) -> !RegistrationMode.isValid(text)).isPresent())
			.map((value) -> Finding.byHand(Keys.REGISTRATION, "is neither open nor closed",
					"set it by the command moderate registration"))
			.flux();
	}

	private Flux<Finding> importMarks() {
		return this.store.values(Keys.IMPORT_MARKS)
			.filter((mark) -> !mark.matches("\\d{1,12}"))
			.map((mark) -> Finding.byHand(Keys.IMPORT_MARKS, "has a mark that is no number",
					"set it to the highest number that was imported"))
			.take(1);
	}

	private Flux<Finding> reports() {
		String key = Keys.REPORTS;
		return this.lists.bound(key, AbuseReportRepository.MOST_POSTS)
			.concatWith(this.lists.members(key,
					(member) -> this.store.exists(Keys.REPORTS_OF + member.value())
						.filter((there) -> !there)
						.map((missing) -> this.lists.wrong(key, member,
								"holds post " + member.value() + ", of which there is no report"))));
	}

	private Flux<Finding> reportsOf(String postId) {
		String key = Keys.REPORTS_OF + postId;
		Mono<Finding> listed = this.store.score(Keys.REPORTS, postId)
			.filter(Optional::isEmpty)
			.map((missing) -> Finding.repairable(key, "is not in " + Keys.REPORTS, "adds it",
					() -> newest(key).flatMap((millis) -> this.repairs.add(Keys.REPORTS, postId, millis))));
		Mono<Finding> bound = this.store.fieldCount(key)
			.filter((count) -> count > AbuseReportRepository.MOST_REPORTS)
			.map((count) -> Finding.byHand(key, "holds more than " + AbuseReportRepository.MOST_REPORTS + " reports",
					"delete it by hand"));
		Flux<Finding> named = this.store.fieldNames(key)
			.filter(TimeSortedIdGenerator::isValid)
			.filterWhen((userId) -> this.store.mayBeUser(userId).map((there) -> !there))
			.map((gone) -> Finding.repairable(key, "names user " + gone + ", whose account is deleted",
					"takes the user out of the report", () -> this.reports.anonymize(postId, gone)));
		return Flux.concat(listed, bound, named);
	}

	/** When the newest of a post's reports was made, in ms; empty when there is none. */
	private Mono<Long> newest(String key) {
		return this.store.values(key)
			.map((report) -> Long.parseLong(report.substring(0, report.indexOf(' '))))
			.reduce(Math::max);
	}

}
