package live.retwis.account;

import java.util.Set;

import live.retwis.log.CommitLog;
import live.retwis.log.Intent;
import live.retwis.log.IntentRecovery;
import live.retwis.log.Intents;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Changes what others see of a user. The log entry makes every instance read the user
 * again, and changes open pages.
 */
@Component
class ProfileUpdater implements IntentRecovery {

	private final UserRepository users;

	private final Intents intents;

	private final CommitLog log;

	ProfileUpdater(UserRepository users, Intents intents, CommitLog log) {
		this.users = users;
		this.intents = intents;
		this.log = log;
	}

	/**
	 * Stores name, bio and picture, and writes the log entry if something has changed, or
	 * if an earlier form is not finished.
	 * {@link live.retwis.log.LogAdmissionControl.NotAdmittedException} when too many
	 * entries wait for fan-out; {@link live.retwis.redis.DataNodeFullException} when a
	 * data node is nearly full.
	 */
	Mono<Void> change(String userId, String name, String bio, PictureChange picture) {
		Intent intent = Intent.of(Intent.Kind.PROFILE, userId, "-");
		return this.log.admitGrowth()
			.then(this.intents.run(intent, Intents.SHORT,
					this.users.setProfile(userId, name, bio, picture)
						.flatMap((changed) -> this.intents.mustTell(intent, changed))
						.flatMap((tells) -> tells ? this.log.profileChanged(intent, userId).then()
								: this.intents.drop(intent))))
			.then();
	}

	@Override
	public Set<Intent.Kind> kinds() {
		return Set.of(Intent.Kind.PROFILE);
	}

	/** Writes the log entry, also when nothing has changed. */
	@Override
	public Mono<Void> finish(Intent intent) {
		return this.log.profileChanged(intent, intent.subject()).then();
	}

}
