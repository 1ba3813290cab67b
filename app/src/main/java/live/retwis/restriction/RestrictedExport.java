package live.retwis.restriction;

import java.util.List;
import java.util.Optional;

import live.retwis.account.UserRepository;
import live.retwis.export.UserListExport;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Mono;

/** Whom a user has restricted, since when; the latest first. */
abstract class RestrictedExport extends UserListExport {

	private final Restriction restriction;

	private final RestrictionRepository restrictions;

	RestrictedExport(Restriction restriction, RestrictionRepository restrictions, UserRepository users) {
		super(users);
		this.restriction = restriction;
		this.restrictions = restrictions;
	}

	@Override
	public String name() {
		return this.restriction.list();
	}

	@Override
	public Mono<List<Cursor>> places(String userId, Optional<Cursor> after) {
		return this.restrictions.page(this.restriction, userId, after, PAGE);
	}

}
