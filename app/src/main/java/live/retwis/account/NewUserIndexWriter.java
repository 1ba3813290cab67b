package live.retwis.account;

import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** The lists in which a new user is found: the newest users, and the names. */
@Component
class NewUserIndexWriter {

	private final RecentUsers recent;

	private final UserSearchIndex names;

	NewUserIndexWriter(RecentUsers recent, UserSearchIndex names) {
		this.recent = recent;
		this.names = names;
	}

	/** Adds a user to both. It can be repeated. */
	Mono<Void> add(User user) {
		return Mono.when(this.recent.add(user), this.names.add(user));
	}

}
