package live.retwis.export;

import java.util.List;

import live.retwis.account.UserRepository;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Mono;

/**
 * A list of other users, each with the time since when the user is in it. The latest
 * comes first.
 */
public abstract class UserListExport implements ExportPart {

	private final UserRepository users;

	protected UserListExport(UserRepository users) {
		this.users = users;
	}

	@Override
	public Mono<List<ListedUserJson>> items(List<Cursor> places) {
		return this.users.findPeople(places)
			.map((people) -> people.stream()
				.map((person) -> new ListedUserJson(person.username(), person.since()))
				.toList());
	}

	/**
	 * A user in the list as JSON.
	 *
	 * @param username the other user
	 * @param since ISO 8601 UTC
	 */
	public record ListedUserJson(String username, String since) {
	}

}
