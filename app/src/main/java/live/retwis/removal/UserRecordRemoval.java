package live.retwis.removal;

import live.retwis.account.RecentUsers;
import live.retwis.account.SessionLifecycle;
import live.retwis.account.UserRepository;
import live.retwis.account.UsernameRepository;
import live.retwis.account.UsernameRules;
import live.retwis.log.CommitLog;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Removes the sessions, frees the name, and at last removes the user with the picture. It
 * can be repeated.
 */
@Component
class UserRecordRemoval {

	private final SessionLifecycle sessions;

	private final RecentUsers recent;

	private final UserRepository users;

	private final UsernameRepository usernames;

	private final CommitLog log;

	UserRecordRemoval(SessionLifecycle sessions, RecentUsers recent, UserRepository users, UsernameRepository usernames,
			CommitLog log) {
		this.sessions = sessions;
		this.recent = recent;
		this.users = users;
		this.usernames = usernames;
		this.log = log;
	}

	/** Removes a user of whom nothing else is left. */
	Mono<Void> remove(String userId) {
		return this.sessions.remove(userId)
			.then(this.recent.remove(userId))
			.then(this.users.nameOf(userId).defaultIfEmpty(""))
			.flatMap((name) -> this.usernames.free(userId, name)
				.then(this.log.nameFreed(userId, UsernameRules.fold(name))))
			.then(this.users.retire(userId));
	}

}
