package live.retwis.restriction;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import live.retwis.account.AccountStateRepository;
import live.retwis.account.User;
import live.retwis.account.UserRepository;
import live.retwis.redis.Cursor;
import live.retwis.redis.RedisErrorClassifier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Reads pages of a user's lists. When others delete their accounts, nothing tells in
 * whose lists they are. They are removed from a list when a page that would show them is
 * read. Until then they count towards its limit.
 */
@Component
class RestrictedUsersPageReader {

	private static final int CONCURRENCY = 16;

	private final RestrictionRepository restrictions;

	private final AccountStateRepository accounts;

	private final UserRepository users;

	RestrictedUsersPageReader(RestrictionRepository restrictions, AccountStateRepository accounts,
			UserRepository users) {
		this.restrictions = restrictions;
		this.accounts = accounts;
		this.users = users;
	}

	/** At most this many places of a list before a cursor, latest first. */
	Mono<List<Cursor>> page(Restriction restriction, String userId, Optional<Cursor> before, int count) {
		return this.restrictions.page(restriction, userId, before, count)
			.flatMap((places) -> removeGone(restriction, userId, places).thenReturn(places));
	}

	/**
	 * HMGET of each user who was not found, and ZREM. While the node takes no writes,
	 * nobody is removed. A later page does it.
	 */
	private Mono<Void> removeGone(Restriction restriction, String userId, List<Cursor> places) {
		List<String> ids = places.stream().map(Cursor::member).toList();
		return this.users.findAll(ids).flatMap((found) -> {
			Set<String> there = found.stream().map(User::id).collect(Collectors.toSet());
			return Flux.fromIterable(ids)
				.filter((id) -> !there.contains(id))
				.filterWhen(this.accounts::isGone, CONCURRENCY)
				.flatMap((gone) -> this.restrictions.remove(restriction, userId, gone)
					.onErrorComplete(RedisErrorClassifier::isAway), CONCURRENCY)
				.then();
		});
	}

}
