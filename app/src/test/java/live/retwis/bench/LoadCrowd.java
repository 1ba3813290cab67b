package live.retwis.bench;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import live.retwis.redis.Keys;

/**
 * Signed-in users. Their keys are written directly, because registering thousands of
 * users would take an hour for the password hashes.
 *
 * @param users in the order of their numbers
 */
record LoadCrowd(List<User> users) {

	private static final int PADDING = 100;

	/** When all followed all, in ms. */
	private static final long SINCE = System.currentTimeMillis();

	/**
	 * Makes users. The followers of an author must fit into one list.
	 * @param follows number of authors that each user follows, chosen at random
	 */
	static LoadCrowd make(int redisPort, String prefix, int size, List<User> authors, int follows) {
		Random random = new Random(size);
		List<User> users = new ArrayList<>();
		RedisClient client = RedisClient.create("redis://127.0.0.1:" + redisPort);
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			connection.setAutoFlushCommands(false);
			List<RedisFuture<?>> written = new ArrayList<>();
			for (int i = 0; i < size; i++) {
				User user = User.number(prefix, i);
				users.add(user);
				written.addAll(user.write(connection.async()));
				for (int j = 0; j < follows; j++) {
					User author = authors.get(random.nextInt(authors.size()));
					written.add(connection.async().zadd(Keys.following(user.id()), SINCE, author.id()));
					written.add(connection.async().zadd(Keys.followers(author.id()), SINCE, user.id()));
				}
			}
			connection.flushCommands();
			LettuceFutures.awaitAll(Duration.ofSeconds(60), written.toArray(RedisFuture[]::new));
		}
		finally {
			client.shutdown();
		}
		return new LoadCrowd(users);
	}

	/** For each user the address of the home stream and the cookie. */
	List<String> homes() {
		return this.users.stream().map((user) -> "/live/home auth=" + user.cookie()).toList();
	}

	/** For each user the request that makes a post with a time stamp. */
	List<String> posts() {
		return this.users.stream().map(User::post).toList();
	}

	/**
	 * A user with a session.
	 *
	 * @param id like the ids of the store
	 * @param name unique name
	 * @param token token of the session
	 */
	record User(String id, String name, String token) {

		private static User number(String prefix, int number) {
			String text = String.format(Locale.ROOT, "%s%08d", prefix, number);
			return new User("0" + text.toUpperCase(Locale.ROOT).substring(0, 12), text, "t".repeat(31) + text);
		}

		String cookie() {
			return this.id + "." + this.token;
		}

		private List<RedisFuture<?>> write(RedisAsyncCommands<String, String> redis) {
			return List.of(
					redis.hset(Keys.user(this.id),
							Map.of("username", this.name, "auth", "generation", "created", "1", "state", "active")),
					redis.set(Keys.username(this.name), this.id),
					redis.setex(Keys.session(sha256(this.token)), TimeUnit.DAYS.toSeconds(1), this.id + " generation"));
		}

		private static String sha256(String text) {
			try {
				return HexFormat.of()
					.formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII)));
			}
			catch (NoSuchAlgorithmException ex) {
				throw new IllegalStateException(ex);
			}
		}

		/** The CSRF token of a session, as the site derives it. */
		private static String csrf(String token) {
			try {
				Mac mac = Mac.getInstance("HmacSHA256");
				mac.init(new SecretKeySpec(token.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
				return Base64.getUrlEncoder()
					.withoutPadding()
					.encodeToString(mac.doFinal("csrf".getBytes(StandardCharsets.US_ASCII)))
					.substring(0, 42);
			}
			catch (GeneralSecurityException ex) {
				throw new IllegalStateException(ex);
			}
		}

		/** The request for a page. */
		String page(String path) {
			return "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: auth=" + cookie() + "\r\n\r\n";
		}

		/** The request that makes a post with a time stamp. */
		String post() {
			byte[] unmasked = csrf(this.token).getBytes(StandardCharsets.US_ASCII);
			byte[] masked = Arrays.copyOf(new byte[unmasked.length], 2 * unmasked.length);
			System.arraycopy(unmasked, 0, masked, unmasked.length, unmasked.length);
			String body = "_csrf=" + Base64.getUrlEncoder().withoutPadding().encodeToString(masked) + "&body="
					+ StreamLoad.STAMP;
			String padding = "+" + "x".repeat(PADDING);
			return "POST /posts HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: auth=" + cookie()
					+ "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
					+ (body.length() + 12 + padding.length()) + "\r\n\r\n" + body + "%012d" + padding;
		}

	}

}
