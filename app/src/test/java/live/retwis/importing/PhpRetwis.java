package live.retwis.importing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.lettuce.core.api.sync.RedisCommands;

/** Writes what the PHP Retwis would write, command by command. */
abstract class PhpRetwis {

	final RedisCommands<String, String> redis;

	private PhpRetwis(RedisCommands<String, String> redis) {
		this.redis = redis;
	}

	static PhpRetwis of2014(RedisCommands<String, String> redis) {
		return new Hashes(redis);
	}

	static PhpRetwis of2011(RedisCommands<String, String> redis) {
		return new Texts(redis);
	}

	/** Registers a user and returns the user's number. */
	abstract long register(String name, String password, long second);

	abstract void follow(long follower, long followed, long second);

	/** Makes a post and returns its number. */
	abstract long post(long author, String text, long second);

	/** Adds the post to all timelines. */
	private void deliver(String posts, String after, String timeline, List<String> readers, long post) {
		readers.forEach((reader) -> this.redis.lpush(posts + reader + after, Long.toString(post)));
		this.redis.lpush(timeline, Long.toString(post));
		this.redis.ltrim(timeline, 0, 1000);
	}

	private static final class Hashes extends PhpRetwis {

		Hashes(RedisCommands<String, String> redis) {
			super(redis);
		}

		@Override
		long register(String name, String password, long second) {
			long number = this.redis.incr("next_user_id");
			this.redis.hset("users", name, Long.toString(number));
			this.redis.hset("user:" + number,
					Map.of("username", name, "password", password, "auth", "secret" + number));
			this.redis.hset("auths", "secret" + number, Long.toString(number));
			this.redis.zadd("users_by_time", second, name);
			return number;
		}

		@Override
		void follow(long follower, long followed, long second) {
			this.redis.zadd("followers:" + followed, second, Long.toString(follower));
			this.redis.zadd("following:" + follower, second, Long.toString(followed));
		}

		@Override
		long post(long author, String text, long second) {
			long number = this.redis.incr("next_post_id");
			this.redis.hset("post:" + number,
					Map.of("user_id", Long.toString(author), "time", Long.toString(second), "body", text));
			List<String> readers = new ArrayList<>(this.redis.zrange("followers:" + author, 0, -1));
			readers.add(Long.toString(author));
			super.deliver("posts:", "", "timeline", readers, number);
			return number;
		}

	}

	private static final class Texts extends PhpRetwis {

		Texts(RedisCommands<String, String> redis) {
			super(redis);
		}

		@Override
		long register(String name, String password, long second) {
			long number = this.redis.incr("global:nextUserId");
			this.redis.set("username:" + name + ":id", Long.toString(number));
			this.redis.set("uid:" + number + ":username", name);
			this.redis.set("uid:" + number + ":password", password);
			this.redis.set("uid:" + number + ":auth", "secret" + number);
			this.redis.set("auth:secret" + number, Long.toString(number));
			this.redis.sadd("global:users", Long.toString(number));
			return number;
		}

		@Override
		void follow(long follower, long followed, long second) {
			this.redis.sadd("uid:" + followed + ":followers", Long.toString(follower));
			this.redis.sadd("uid:" + follower + ":following", Long.toString(followed));
		}

		@Override
		long post(long author, String text, long second) {
			long number = this.redis.incr("global:nextPostId");
			this.redis.set("post:" + number, author + "|" + second + "|" + text);
			List<String> readers = new ArrayList<>(this.redis.smembers("uid:" + author + ":followers"));
			readers.add(Long.toString(author));
			super.deliver("uid:", ":posts", "global:timeline", readers, number);
			return number;
		}

	}

}
