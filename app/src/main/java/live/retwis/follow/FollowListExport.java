package live.retwis.follow;

import java.util.List;

import live.retwis.account.UserRepository;
import live.retwis.export.ExportPart;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Mono;

/** One side of a user's follows, since when; the latest first. */
abstract class FollowListExport implements ExportPart {

	private final UserRepository users;

	FollowListExport(UserRepository users) {
		this.users = users;
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
	 * @param username the other user
	 * @param since ISO 8601 UTC
	 */
	record FollowJson(String username, String since) {
	}

}
