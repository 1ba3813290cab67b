package live.retwis.bench;

import java.util.Map;
import java.util.stream.Stream;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.async.RedisAsyncCommands;

/** What a PHP Retwis writes, in each of its layouts. */
enum PhpRetwisLayout {

	/** Texts and sets. */
	OF_2011(2011) {
		@Override
		Stream<RedisFuture<?>> begin(RedisAsyncCommands<String, String> redis, int users, int posts) {
			return Stream.of(redis.set("global:nextUserId", Integer.toString(users)),
					redis.set("global:nextPostId", Integer.toString(posts)));
		}

		@Override
		Stream<RedisFuture<?>> user(RedisAsyncCommands<String, String> redis, int number) {
			String user = "uid:" + number;
			return Stream.of(redis.set("username:" + username(number) + ":uid", Integer.toString(number)),
					redis.set(user + ":username", username(number)), redis.set(user + ":password", "password" + number),
					redis.set(user + ":auth", "secret" + number));
		}

		@Override
		Stream<RedisFuture<?>> follow(RedisAsyncCommands<String, String> redis, int follower, int followed) {
			return Stream.of(redis.sadd("uid:" + followed + ":followers", Integer.toString(follower)),
					redis.sadd("uid:" + follower + ":following", Integer.toString(followed)));
		}

		@Override
		Stream<RedisFuture<?>> post(RedisAsyncCommands<String, String> redis, int number, int author) {
			return Stream.of(redis.set("post:" + number, author + "|" + (BEGIN + number) + "|" + body(number, author)));
		}
	},

	/** Hashes and sorted sets. */
	OF_2014(2014) {
		@Override
		Stream<RedisFuture<?>> begin(RedisAsyncCommands<String, String> redis, int users, int posts) {
			return Stream.of(redis.set("next_user_id", Integer.toString(users)),
					redis.set("next_post_id", Integer.toString(posts)));
		}

		@Override
		Stream<RedisFuture<?>> user(RedisAsyncCommands<String, String> redis, int number) {
			return Stream.of(redis.hset("users", username(number), Integer.toString(number)),
					redis.hset("user:" + number,
							Map.of("username", username(number), "password", "password" + number, "auth",
									"secret" + number)),
					redis.zadd("users_by_time", (double) BEGIN + number, username(number)));
		}

		@Override
		Stream<RedisFuture<?>> follow(RedisAsyncCommands<String, String> redis, int follower, int followed) {
			return Stream.of(redis.zadd("followers:" + followed, (double) BEGIN + follower, Integer.toString(follower)),
					redis.zadd("following:" + follower, (double) BEGIN + follower, Integer.toString(followed)));
		}

		@Override
		Stream<RedisFuture<?>> post(RedisAsyncCommands<String, String> redis, int number, int author) {
			return Stream.of(redis.hset("post:" + number, Map.of("user_id", Integer.toString(author), "time",
					Integer.toString(BEGIN + number), "body", body(number, author))));
		}
	};

	/** Unix time before all users and posts. */
	private static final int BEGIN = 1_400_000_000;

	private final int year;

	PhpRetwisLayout(int year) {
		this.year = year;
	}

	@Override
	public String toString() {
		return "layout of " + this.year;
	}

	private static String username(int user) {
		return "user" + user;
	}

	private static String body(int post, int author) {
		return "post " + post + " of @" + username(author);
	}

	/** The last numbers that were given. */
	abstract Stream<RedisFuture<?>> begin(RedisAsyncCommands<String, String> redis, int users, int posts);

	abstract Stream<RedisFuture<?>> user(RedisAsyncCommands<String, String> redis, int number);

	abstract Stream<RedisFuture<?>> follow(RedisAsyncCommands<String, String> redis, int follower, int followed);

	abstract Stream<RedisFuture<?>> post(RedisAsyncCommands<String, String> redis, int number, int author);

}
