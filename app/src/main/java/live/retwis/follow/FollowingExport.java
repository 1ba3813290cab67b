package live.retwis.follow;

import java.util.List;
import java.util.Optional;

import live.retwis.account.UserRepository;
import live.retwis.export.ExportPart;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Whom a user follows, since when; the latest first. */
@Component
class FollowingExport implements ExportPart {

	private final FollowRepository follows;

	private final UserRepository users;

	FollowingExport(FollowRepository follows, UserRepository users) {
		this.follows = follows;
		this.users = users;
	}

	@Override
	public String name() {
		return "following";
	}

	@Override
	public Mono<List<Cursor>> places(String userId, Optional<Cursor> after) {
		return this.follows.following(userId, after, PAGE);
	}

	@Override
	public Mono<List<FollowJson>> items(List<Cursor> places) {
		return this.users.findPeople(places)
			.map((people) -> people.stream()
				.map((person) -> new FollowJson(person.username(), person.since()))
				.toList());
	}

	/**
	 * A follow as JSON.
	 *
	 * @param username the followed user
	 * @param since ISO 8601 UTC
	 */
	record FollowJson(String username, String since) {
	}

}
