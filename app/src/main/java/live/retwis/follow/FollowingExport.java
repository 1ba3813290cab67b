package live.retwis.follow;

import java.util.List;
import java.util.Optional;

import live.retwis.account.UserRepository;
import live.retwis.export.UserListExport;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Whom a user follows. */
@Component
class FollowingExport extends UserListExport {

	private final FollowRepository follows;

	FollowingExport(FollowRepository follows, UserRepository users) {
		super(users);
		this.follows = follows;
	}

	@Override
	public String name() {
		return "following";
	}

	@Override
	public Mono<List<Cursor>> places(String userId, Optional<Cursor> after) {
		return this.follows.following(userId, after, PAGE);
	}

}
