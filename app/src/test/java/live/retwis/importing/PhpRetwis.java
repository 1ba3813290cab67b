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

	/** The one in the layout of this year: 2011 or 2014. */
	static PhpRetwis of(int year, RedisCommands<String, String> redis) {
		return (year == 2011) ? new Texts(redis) : new Hashes(redis);
	}

	/** Registers a user and returns the user's number. */
	abstract long register(String name, String password, long second);

	/** Stores these fields of a user, and nothing else. */
	abstract void storeUser(long number, Map<String, String> fields);

	/** Stores something else where a user belongs. */
	abstract void spoilUser(long number);

	void follow(long follower, long followed, long second) {
		listFollower(followed, Long.toString(follower), second);
		listFollowed(follower, Long.toString(followed), second);
	}

	/** Writes the side of the user who is followed. */
	abstract void listFollower(long followed, String follower, long second);

	/** Writes the side of the user who follows. */
	abstract void listFollowed(long follower, String followed, long second);

	/** Makes a post and returns its number. */
	abstract long post(long author, String text, long second);

	/** Stores a post, and nothing else. A text that is empty is missing. */
	abstract void storePost(long number, String author, String time, String body);

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
			storeUser(number, Map.of("username", name, "password", password, "auth", "secret" + number));
			this.redis.hset("auths", "secret" + number, Long.toString(number));
			this.redis.zadd("users_by_time", second, name);
			return number;
		}

		@Override
		void storeUser(long number, Map<String, String> fields) {
			this.redis.hset("user:" + number, fields);
		}

		@Override
		void spoilUser(long number) {
			this.redis.set("user:" + number, "no hash");
		}

		@Override
		void listFollower(long followed, String follower, long second) {
			this.redis.zadd("followers:" + followed, second, follower);
		}

		@Override
		void listFollowed(long follower, String followed, long second) {
			this.redis.zadd("following:" + follower, second, followed);
		}

		@Override
		long post(long author, String text, long second) {
			long number = this.redis.incr("next_post_id");
			storePost(number, Long.toString(author), Long.toString(second), text);
			List<String> readers = new ArrayList<>(this.redis.zrange("followers:" + author, 0, -1));
			readers.add(Long.toString(author));
			super.deliver("posts:", "", "timeline", readers, number);
			return number;
		}

		@Override
		void storePost(long number, String author, String time, String body) {
			Map.of("user_id", author, "time", time, "body", body)
				.entrySet()
				.stream()
				.filter((field) -> !field.getValue().isEmpty())
				.forEach((field) -> this.redis.hset("post:" + number, field.getKey(), field.getValue()));
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
			storeUser(number, Map.of("username", name, "password", password, "auth", "secret" + number));
			this.redis.set("auth:secret" + number, Long.toString(number));
			this.redis.sadd("global:users", Long.toString(number));
			return number;
		}

		@Override
		void storeUser(long number, Map<String, String> fields) {
			fields.forEach((field, value) -> this.redis.set("uid:" + number + ":" + field, value));
		}

		@Override
		void spoilUser(long number) {
			this.redis.lpush("uid:" + number + ":username", "no text");
		}

		@Override
		void listFollower(long followed, String follower, long second) {
			this.redis.sadd("uid:" + followed + ":followers", follower);
		}

		@Override
		void listFollowed(long follower, String followed, long second) {
			this.redis.sadd("uid:" + follower + ":following", followed);
		}

		@Override
		long post(long author, String text, long second) {
			long number = this.redis.incr("global:nextPostId");
			storePost(number, Long.toString(author), Long.toString(second), text);
			List<String> readers = new ArrayList<>(this.redis.smembers("uid:" + author + ":followers"));
			readers.add(Long.toString(author));
			super.deliver("uid:", ":posts", "global:timeline", readers, number);
			return number;
		}

		@Override
		void storePost(long number, String author, String time, String body) {
			this.redis.set("post:" + number, author + "|" + time + "|" + body);
		}

	}

}
