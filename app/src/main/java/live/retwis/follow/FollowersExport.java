package live.retwis.follow;

import java.util.List;
import java.util.Optional;

import live.retwis.account.UserRepository;
import live.retwis.export.UserListExport;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Who follows a user. */
@Component
class FollowersExport extends UserListExport {

	private final FollowRepository follows;

	FollowersExport(FollowRepository follows, UserRepository users) {
		super(users);
		this.follows = follows;
	}

	@Override
	public String name() {
		return "followers";
	}

	@Override
	public Mono<List<Cursor>> places(String userId, Optional<Cursor> after) {
		return this.follows.followers(userId, after, PAGE);
	}

}
