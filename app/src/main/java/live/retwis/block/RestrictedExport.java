package live.retwis.block;

import java.util.List;
import java.util.Optional;

import live.retwis.account.UserRepository;
import live.retwis.export.ExportPart;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Mono;

/** Whom a user has restricted, since when; the latest first. */
abstract class RestrictedExport implements ExportPart {

	private final Restriction restriction;

	private final RestrictionRepository restrictions;

	private final UserRepository users;

	RestrictedExport(Restriction restriction, RestrictionRepository restrictions, UserRepository users) {
		this.restriction = restriction;
		this.restrictions = restrictions;
		this.users = users;
	}

	@Override
	public String name() {
		return this.restriction.list();
	}

	@Override
	public Mono<List<Cursor>> places(String userId, Optional<Cursor> after) {
		return this.restrictions.page(this.restriction, userId, after, PAGE);
	}

	@Override
	public Mono<List<RestrictedJson>> items(List<Cursor> places) {
		return this.users.findPeople(places)
			.map((people) -> people.stream()
				.map((person) -> new RestrictedJson(person.username(), person.since()))
				.toList());
	}

	/**
	 * A restricted user as JSON.
	 *
	 * @param username the user
	 * @param since ISO 8601 UTC
	 */
	record RestrictedJson(String username, String since) {
	}

}
