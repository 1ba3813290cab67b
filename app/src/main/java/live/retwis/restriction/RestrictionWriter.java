package live.retwis.restriction;

import java.util.Set;

import live.retwis.log.CommitLog;
import live.retwis.log.Intent;
import live.retwis.log.IntentRecovery;
import live.retwis.log.Intents;
import live.retwis.redis.ConvergingWrite;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Mutes, blocks, and takes that back. The user's list is written first, and it is
 * authoritative. Then a block ends the follows between the two users, and a log entry
 * tells the open streams. Each step can be repeated.
 */
@Component
class RestrictionWriter implements IntentRecovery {

	private static final String BETWEEN_DETAILS = ":";

	private final RestrictionRepository restrictions;

	private final HiddenAuthorsCache hidden;

	private final BlockListener blocks;

	private final CommitLog log;

	private final Intents intents;

	RestrictionWriter(RestrictionRepository restrictions, HiddenAuthorsCache hidden, BlockListener blocks,
			CommitLog log, Intents intents) {
		this.restrictions = restrictions;
		this.hidden = hidden;
		this.blocks = blocks;
		this.log = log;
		this.intents = intents;
	}

	/**
	 * Restricts a user, or takes that back. Where nothing changes, nothing is logged,
	 * unless the same was begun before and is not finished. It goes on when the caller
	 * cancels.
	 * @return done; {@link RestrictionRepository.RestrictionLimitException} when the list
	 * is full; {@link live.retwis.log.LogAdmissionControl.NotAdmittedException} when too
	 * many entries wait for fan-out
	 */
	Mono<Void> set(Restriction restriction, String userId, String otherId, boolean on) {
		Intent intent = Intent.of(Intent.Kind.RESTRICTION, userId,
				String.join(BETWEEN_DETAILS, restriction.name(), otherId));
		Mono<Boolean> change = on ? this.restrictions.add(restriction, userId, otherId)
				: this.restrictions.remove(restriction, userId, otherId);
		return this.log.admit()
			.then(this.restrictions.isSet(restriction, userId, otherId))
			.flatMap((before) -> this.intents.run(intent, Intents.SHORT,
					change
						.onErrorResume(RestrictionRepository.RestrictionLimitException.class,
								(full) -> this.intents.notBegun(intent, full))
						.doOnTerminate(() -> this.hidden.changed(userId))
						.flatMap((changed) -> this.intents.mustTell(intent, changed || before != on))
						.flatMap((tells) -> tells ? finish(intent) : Mono.empty())
						.then(this.intents.drop(intent))));
	}

	@Override
	public Set<Intent.Kind> kinds() {
		return Set.of(Intent.Kind.RESTRICTION);
	}

	/**
	 * Logs what the user's list says, again if it says something else after that. So the
	 * last entry agrees with the list, also when several forms came at once.
	 */
	@Override
	public Mono<Void> finish(Intent intent) {
		String[] details = intent.detail().split(BETWEEN_DETAILS);
		Restriction restriction = Restriction.valueOf(details[0]);
		String userId = intent.subject();
		String otherId = details[1];
		return this.restrictions.forgetIfGone(userId)
			.then(ConvergingWrite.of(this.restrictions.isSet(restriction, userId, otherId),
					(on) -> ((on && restriction == Restriction.BLOCK) ? this.blocks.blocked(userId, otherId)
							: Mono.<Void>empty())
						.then(this.log.restricted(restriction.type(on), userId, otherId))
						.then()));
	}

}
