package live.retwis.importing;

import java.util.Objects;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ZSetOperations.TypedTuple;

/**
 * The layout with hashes and sorted sets: {@code user:N}, {@code users_by_time},
 * {@code followers:N}, {@code following:N} and {@code post:N}, with the counters
 * {@code next_user_id} and {@code next_post_id}.
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
	public Mono<HighestSourceNumbers> given() {
		return this.keys.given("next_user_id", "next_post_id");
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
	public Flux<Long> followLists() {
		return this.keys.numbers("followers:").concatWith(this.keys.numbers("following:"));
	}

	@Override
	public Flux<RetwisFollow> followers(long number) {
		return this.keys.sorted("followers:" + number)
			.map((follower) -> new RetwisFollow(user(follower), Long.toString(number), time(follower)));
	}

	@Override
	public Flux<RetwisFollow> following(long number) {
		return this.keys.sorted("following:" + number)
			.map((followed) -> new RetwisFollow(Long.toString(number), user(followed), time(followed)));
	}

	private static String user(TypedTuple<String> listed) {
		return Objects.requireNonNullElse(listed.getValue(), "");
	}

	private static String time(TypedTuple<String> listed) {
		return String.valueOf(listed.getScore());
	}

	@Override
	public Mono<Boolean> isListedAsFollower(RetwisFollow follow) {
		return this.keys.score("followers:" + follow.followed(), follow.follower()).map((score) -> !score.isEmpty());
	}

	@Override
	public Flux<RetwisPost> posts() {
		return this.keys.numbers("post:")
			.flatMap((number) -> this.keys.fields("post:" + number, "user_id", "time", "body")
				.map((post) -> new RetwisPost(number, post.get(0), post.get(1), post.get(2))), READ_AT_ONCE);
	}

}
