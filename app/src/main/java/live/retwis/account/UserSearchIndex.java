package live.retwis.account;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import live.retwis.redis.HashFields;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.PrefixIndex;
import live.retwis.text.SearchWords;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Finds users by the beginning of their username, or of a word in their name:
 * {@code names:{first character}} has texts of a word, a space and a user id. Usernames
 * are added at registration. The words of a name are added by the workers. The field
 * {@code words} of the user has every word that the index may have of the name, so that
 * whoever comes next can remove it when a worker dies.
 */
@Repository
public class UserSearchIndex {

	private static final LuaScript NOTE_WORDS = LuaScript.named("note-words");

	private static final LuaScript SETTLE_WORDS = LuaScript.named("settle-words");

	private static final String WORDS = "words";

	/** Most words of a name that count, and most beginnings that are looked up. */
	private static final int MOST_WORDS = 5;

	private final ReactiveStringRedisTemplate redis;

	private final PrefixIndex index;

	private final UserRepository users;

	private final UsernameRepository usernames;

	UserSearchIndex(ReactiveStringRedisTemplate redis, PrefixIndex index, UserRepository users,
			UsernameRepository usernames) {
		this.redis = redis;
		this.index = index;
		this.users = users;
		this.usernames = usernames;
	}

	/** The text in the index by which a user is found. */
	public static String text(String word, String userId) {
		return word + " " + userId;
	}

	/** ZADD: the user is found by the username from now on. */
	Mono<Void> add(User user) {
		return this.index.add(Keys.NAMES, List.of(text(UsernameRules.fold(user.username()), user.id())));
	}

	/**
	 * HMGET, {@code note-words.lua}, ZADD, ZREM, {@code settle-words.lua} and HMGET: the
	 * user is found by the words of the current name. Repeats this if the name has
	 * changed meanwhile, because the worker of the newer change may have finished first.
	 * If the user is gone, it removes what it has added.
	 */
	public Mono<Void> renamed(String userId) {
		return renamed(userId, List.of());
	}

	/**
	 * The same.
	 * @param added words that an earlier try may have added to the index
	 */
	private Mono<Void> renamed(String userId, List<String> added) {
		return this.users.readUser(userId)
			.flatMap((user) -> note(user, added).flatMap((noted) -> replace(user, noted).thenReturn(true)))
			.switchIfEmpty(Mono.defer(() -> this.index.remove(Keys.NAMES, texts(added, userId)).thenReturn(true)))
			.then();
	}

	/**
	 * Stores the words of which the index may have entries of this user, and returns all
	 * of them. Empty when the user is gone.
	 */
	private Mono<List<String>> note(User user, List<String> added) {
		String words = stored(Stream.concat(added.stream(), wordsOf(user).stream()).toList());
		return NOTE_WORDS.run(this.redis, List.of(Keys.user(user.id())), words)
			.filter((answer) -> answer.get(0).equals("1"))
			.map((answer) -> words(answer.get(1)));
	}

	private Mono<Void> replace(User user, List<String> noted) {
		List<String> words = wordsOf(user);
		List<String> former = noted.stream()
			.filter((word) -> !words.contains(word) && !word.equals(UsernameRules.fold(user.username())))
			.toList();
		return this.index.add(Keys.NAMES, texts(words, user.id()))
			.then(this.index.remove(Keys.NAMES, texts(former, user.id())))
			.then(SETTLE_WORDS.run(this.redis, List.of(Keys.user(user.id())), stored(noted), stored(words)))
			.flatMap((answer) -> answer.get(0).equals("1") ? this.users.readUser(user.id())
				.filter((now) -> !now.name().equals(user.name()))
				.flatMap((now) -> renamed(user.id())) : renamed(user.id(), noted));
	}

	private static String stored(List<String> words) {
		return String.join(" ", words);
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

	/** HMGET, ZREM and HDEL: nobody finds the user any more. */
	public Mono<Void> remove(String userId) {
		String key = Keys.user(userId);
		return HashFields.read(this.redis, key, "username", WORDS).flatMap((fields) -> {
			List<String> all = new ArrayList<>(words(fields.getOrDefault(WORDS, "")));
			if (fields.containsKey("username")) {
				all.add(UsernameRules.fold(fields.get("username")));
			}
			return this.index.remove(Keys.NAMES, texts(all, userId));
		}).then(this.redis.opsForHash().remove(key, WORDS)).then();
	}

	/**
	 * GET and ZRANGEBYLEX for each of the first {@value #MOST_WORDS} beginnings: users
	 * who have words with all of the beginnings. Those who have one of them as username
	 * come first. Each beginning has a list of users, and the shortest list is compared
	 * with the other beginnings. A longer list than {@code most} is cut. So somebody is
	 * missing only when all lists are cut. What the index has of former names, and of
	 * suspended users, does not count.
	 * @param most users of a list, at most
	 */
	public Mono<List<User>> find(Set<String> beginnings, int most) {
		Flux<String> first = Flux.fromIterable(beginnings).take(MOST_WORDS);
		Mono<List<String>> named = first.flatMapSequential((name) -> this.usernames.findId(name).onErrorComplete())
			.collectList();
		Mono<List<String>> fewest = first.flatMapSequential((beginning) -> this.index.find(Keys.NAMES, beginning, most))
			.reduce((some, others) -> (others.size() < some.size()) ? others : some);
		return Mono.zip(named, fewest, UserSearchIndex::ids)
			.flatMap(this.users::findShown)
			.map((found) -> found.stream().filter((user) -> fits(user, beginnings)).toList());
	}

	private static List<String> ids(List<String> first, List<String> texts) {
		return Stream.concat(first.stream(), texts.stream().map((text) -> text.substring(text.indexOf(' ') + 1)))
			.distinct()
			.toList();
	}

	private static boolean fits(User user, Set<String> beginnings) {
		List<String> own = Stream.concat(Stream.of(UsernameRules.fold(user.username())), wordsOf(user).stream())
			.toList();
		return beginnings.stream().allMatch((beginning) -> own.stream().anyMatch((word) -> word.startsWith(beginning)));
	}

}
