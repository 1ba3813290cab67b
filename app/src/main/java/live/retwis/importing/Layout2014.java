package live.retwis.importing;

import java.util.Objects;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The layout with hashes and sorted sets: {@code user:N}, {@code users_by_time},
 * {@code followers:N} and {@code post:N}.
 */
class Layout2014 implements RetwisLayout {

	private final RetwisKeyReader keys;

	Layout2014(RetwisKeyReader keys) {
		this.keys = keys;
	}

	@Override
	public int year() {
		return 2014;
	}

	@Override
	public Flux<Long> users() {
		return this.keys.numbers("user:");
	}

	@Override
	public Mono<RetwisUser> user(long number) {
		return this.keys.fields("user:" + number, "username", "password")
			.flatMap((user) -> this.keys.score("users_by_time", user.get(0))
				.map((registered) -> new RetwisUser(number, user.get(0), user.get(1), registered)));
	}

	@Override
	public Flux<RetwisFollow> followers(long number) {
		return this.keys.sorted("followers:" + number)
			.map((follower) -> new RetwisFollow(Objects.requireNonNullElse(follower.getValue(), ""),
					String.valueOf(follower.getScore())));
	}

	@Override
	public Flux<RetwisPost> posts() {
		return this.keys.numbers("post:")
			.flatMap((number) -> this.keys.fields("post:" + number, "user_id", "time", "body")
				.map((post) -> new RetwisPost(number, post.get(0), post.get(1), post.get(2))), READ_AT_ONCE);
	}

}
