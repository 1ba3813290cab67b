package live.retwis.account;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.PrefixIndex;
import live.retwis.text.SearchWords;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Finds users by the beginning of their username, or of a word in their name:
 * {@code names:{first character}} has texts of a word, a space and a user id. Usernames
 * are added at registration. The words of a name are added by the workers, and the user
 * knows them in the field {@code words}, so that they can be removed again.
 */
@Repository
public class NameRepository {

	private static final LuaScript NOTE_WORDS = LuaScript.named("note-words");

	/** Most words of a name that count. */
	private static final int MOST_WORDS = 5;

	private final ReactiveStringRedisTemplate redis;

	private final PrefixIndex index;

	private final UserRepository users;

	NameRepository(ReactiveStringRedisTemplate redis, PrefixIndex index, UserRepository users) {
		this.redis = redis;
		this.index = index;
		this.users = users;
	}

	/** The text in the index by which a user is found. */
	public static String text(String word, String userId) {
		return word + " " + userId;
	}

	/** ZADD: the user is found by the username from now on. */
	Mono<Void> add(User user) {
		return this.index.add(Keys.NAMES, List.of(text(Username.fold(user.username()), user.id())));
	}

	/**
	 * HMGET, {@code note-words.lua}, ZADD and ZREM: the user is found by the words of the
	 * current name. Repeats this if the name has changed meanwhile, because the worker of
	 * the newer change may have finished first. Does nothing when the user is gone.
	 */
	public Mono<Void> renamed(String userId) {
		return this.users.readUser(userId).flatMap((user) -> {
			List<String> words = wordsOf(user);
			return NOTE_WORDS.run(this.redis, List.of(Keys.user(userId)), String.join(" ", words))
				.filter((answer) -> answer.get(0).equals("1"))
				.flatMap((answer) -> {
					Set<String> gone = new LinkedHashSet<>(words(answer.get(1)));
					words.forEach(gone::remove);
					gone.remove(Username.fold(user.username()));
					return this.index.add(Keys.NAMES, texts(words, userId))
						.then(this.index.remove(Keys.NAMES, texts(gone, userId)));
				})
				.then(this.users.readUser(userId))
				.flatMap((now) -> now.name().equals(user.name()) ? Mono.empty() : renamed(userId));
		});
	}

	private static List<String> wordsOf(User user) {
		return SearchWords.of(user.name()).stream().limit(MOST_WORDS).toList();
	}

	private static List<String> words(String stored) {
		return stored.isEmpty() ? List.of() : List.of(stored.split(" "));
	}

	private static List<String> texts(Iterable<String> words, String userId) {
		List<String> texts = new ArrayList<>();
		words.forEach((word) -> texts.add(text(word, userId)));
		return texts;
	}

	/** HMGET and ZREM: nobody finds the user any more. */
	public Mono<Void> remove(String userId) {
		return this.redis.<String, String>opsForHash()
			.multiGet(Keys.user(userId), List.of("username", "words"))
			.flatMap((fields) -> {
				List<String> all = new ArrayList<>(words(Objects.requireNonNullElse(fields.get(1), "")));
				if (fields.get(0) != null) {
					all.add(Username.fold(fields.get(0)));
				}
				return this.index.remove(Keys.NAMES, texts(all, userId));
			});
	}

	/**
	 * ZRANGEBYLEX: users with a word that begins like this, who also have the other
	 * beginnings. What the index has of former names, and of suspended users, does not
	 * count.
	 * @param most users to look at, at most
	 */
	public Mono<List<User>> find(Set<String> beginnings, int most) {
		return this.index.find(Keys.NAMES, beginnings.iterator().next(), most)
			.map((texts) -> texts.stream().map((text) -> text.substring(text.indexOf(' ') + 1)).distinct().toList())
			.flatMap(this.users::findShown)
			.map((found) -> found.stream().filter((user) -> fits(user, beginnings)).toList());
	}

	private static boolean fits(User user, Set<String> beginnings) {
		List<String> own = Stream.concat(Stream.of(Username.fold(user.username())), wordsOf(user).stream()).toList();
		return beginnings.stream().allMatch((beginning) -> own.stream().anyMatch((word) -> word.startsWith(beginning)));
	}

}
