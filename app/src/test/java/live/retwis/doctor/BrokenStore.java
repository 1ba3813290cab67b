package live.retwis.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import com.github.f4b6a3.tsid.TsidFactory;
import io.lettuce.core.XAddArgs;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import live.retwis.picture.Picture;
import live.retwis.redis.Keys;

/**
 * A store in which each rule is broken in its own way, among data that keep all rules. It
 * knows the lines that the doctor must report.
 */
final class BrokenStore {

	static final long HOUR = Duration.ofHours(1).toMillis();

	/** Lines reported without {@code --fix}. */
	private final List<String> lines = new ArrayList<>();

	/** Lines reported with {@code --fix}. */
	private final List<String> fixedLines = new ArrayList<>();

	/** Repairs that people have to do by hand. */
	private final List<Runnable> byHand = new ArrayList<>();

	private final RedisClusterCommands<String, String> redis;

	private final long now;

	private final long old;

	private final Random random = new Random(1);

	BrokenStore(RedisClusterCommands<String, String> redis, long now) {
		this.redis = redis;
		this.now = now;
		this.old = now - HOUR;
	}

	/**
	 * Gives the log a first entry that is two hours old, older than anything else in the
	 * store.
	 */
	void beginLog() {
		this.redis.xadd("{live}:log", new XAddArgs().id((this.now - 2 * HOUR) + "-0"),
				Map.of("nonce", "begin", "type", "start"));
	}

	void all() {
		names();
		pictures();
		sessions();
		follows();
		restrictions();
		lists();
		posts();
		log();
		search();
		lab();
		moderation();
		strangers();
	}

	/** All lines without {@code --fix}. */
	List<String> lines() {
		return this.lines;
	}

	/** All lines with {@code --fix}. */
	List<String> fixedLines() {
		return this.fixedLines;
	}

	void repairByHand() {
		this.byHand.forEach(Runnable::run);
	}

	private void repairable(String violation, String remedy) {
		this.lines.add(violation + "; --fix " + remedy);
		this.fixedLines.add(violation + "; fixed");
	}

	private void byHand(String violation, String remedy, Runnable repair) {
		this.lines.add(violation + "; " + remedy);
		this.fixedLines.add(violation + "; " + remedy);
		this.byHand.add(repair);
	}

	String id(long millis) {
		return TsidFactory.builder().withTimeFunction(() -> millis).withRandom(this.random).build().create().toString();
	}

	/** Adds a user without mistakes. */
	String user(String name) {
		String id = nameless(name, this.old);
		this.redis.set("username:" + name, id);
		this.redis.zadd("names:" + name.charAt(0), 0, name + " " + id);
		return id;
	}

	String nameless(String name, long millis) {
		String id = id(millis);
		this.redis.hset("user:" + id, Map.of("username", name, "name", name, "password", "{noop}x", "auth", "3",
				"state", "active", "created", Long.toString(millis)));
		return id;
	}

	/** Adds a user who has deleted the account, but still has the name. */
	String closed(String name, long millis) {
		String id = user(name);
		this.redis.hset("user:" + id, Map.of("state", "deleted", "deleted", Long.toString(millis), "auth", "4"));
		this.redis.hdel("user:" + id, "password", "name", "active");
		return id;
	}

	/** Adds a post without mistakes, in its author's list. */
	String post(String author) {
		String id = unlisted(author, this.old);
		this.redis.zadd("posts:" + author, (double) this.old, id);
		return id;
	}

	String unlisted(String author, long millis) {
		String id = id(millis);
		this.redis.hset("post:" + id,
				Map.of("author", author, "username", "somebody", "created", Long.toString(millis), "body", "text"));
		return id;
	}

	private void pictures() {
		String sound = user("pictured");
		Picture picture = Picture.of(new byte[] { 1, 2, 3 });
		this.redis.hset("user:" + sound, "picture", picture.hash());
		this.redis.set("{user:" + sound + "}:picture", picture.base64());
		String other = user("repainted");
		this.redis.hset("user:" + other, "picture", "otherhash");
		this.redis.set("{user:" + other + "}:picture", picture.base64());
		repairable("{user:" + other + "}:picture: is not the picture of user:" + other, "removes the user's picture");
		String lost = user("faceless");
		this.redis.hset("user:" + lost, "picture", "hash");
		repairable("user:" + lost + ": has no picture hash", "removes the user's picture");
		String nobody = id(this.old);
		this.redis.set("{user:" + nobody + "}:picture", "no Base64");
		repairable("{user:" + nobody + "}:picture: is not the picture of user:" + nobody, "removes the user's picture");
		String missing = id(this.old);
		this.redis.set("{user:" + missing + "}:picture", picture.base64());
		byHand("{user:" + missing + "}:picture: its user " + missing + " does not exist",
				"restore the user or delete the picture by hand",
				() -> this.redis.del("{user:" + missing + "}:picture"));
		String large = user("oversized");
		Picture tooLarge = Picture.of(new byte[Picture.MOST_BYTES + 3]);
		this.redis.hset("user:" + large, "picture", tooLarge.hash());
		this.redis.set("{user:" + large + "}:picture", tooLarge.base64());
		repairable("{user:" + large + "}:picture: has " + tooLarge.base64().length() + " characters",
				"removes the user's picture");
	}

	private void names() {
		String left = nameless("left", this.old);
		repairable("user:" + left + ": username:left does not refer to it", "deletes the user");
		String broken = id(this.old);
		this.redis.hset("user:" + broken, "created", Long.toString(this.old));
		repairable("user:" + broken + ": has no name", "deletes the user");
		String lost = nameless("lost", this.old);
		post(lost);
		byHand("user:" + lost + ": username:lost does not refer to it", "it is in use: give it a name by hand", () -> {
			this.redis.set("username:lost", lost);
			this.redis.zadd("names:l", 0, "lost " + lost);
		});
		String bare = user("bare");
		this.redis.hdel("user:" + bare, "password");
		byHand("user:" + bare + ": has no password", "set it by hand",
				() -> this.redis.hset("user:" + bare, "password", "{noop}x"));
		String gone = id(this.old);
		this.redis.set("username:gone", gone);
		byHand("username:gone: refers to user " + gone + ", who does not exist",
				"restore the user or delete the name by hand", () -> this.redis.del("username:gone"));
		String other = user("other");
		this.redis.set("username:alias", other);
		repairable("username:alias: refers to user " + other + ", whose name is other", "deletes the name");
		String recent = id(this.old);
		this.redis.zadd("users:recent", (double) this.old, recent);
		repairable("users:recent: holds user " + recent + ", which does not exist", "removes it");
	}

	private void sessions() {
		String user = user("sessions");
		Duration year = Duration.ofDays(365);
		this.redis.psetex("auth:good", year.toMillis(), user + " 3");
		this.redis.psetex("auth:ahead", year.toMillis(), user + " 4");
		repairable("auth:ahead: has generation 4, which user " + user + " has not reached", "deletes the session");
		this.redis.psetex("auth:garbled", year.toMillis(), "what");
		repairable("auth:garbled: does not hold a user id and a generation", "deletes the session");
		this.redis.set("auth:forever", user + " 3");
		repairable("auth:forever: never expires", "makes it expire after PT8760H");
		this.redis.set("limit:posts:" + user, "7");
		repairable("limit:posts:" + user + ": never expires", "makes it expire after PT24H");
		this.redis.set("{live}:once:" + user + ":x", "1-1 n P d");
		repairable("{live}:once:" + user + ":x: never expires", "makes it expire after PT1H");
		this.redis.set("fence:{user:" + user + "}", "somebody");
		repairable("fence:{user:" + user + "}: never expires", "makes it expire after PT1S");
	}

	private void follows() {
		String ann = user("ann");
		String ben = user("ben");
		String cid = user("cid");
		follow(ann, ben, true, true);
		follow(ben, ann, true, false);
		repairable("following:" + ben + ": follows " + ann + ", but is not among followers:" + ann,
				"adds the follower");
		follow(cid, ann, false, true);
		repairable("followers:" + ann + ": is followed by " + cid + ", but is not among following:" + cid,
				"removes the follower");
		follow(ben, cid, true, false);
		this.redis.zadd("followers:" + cid, this.old - 1.0, ben);
		repairable(
				"followers:" + cid + ": is followed by " + ben + " since another time than following:" + ben + " says",
				"takes that time");
		String gone = id(this.old);
		follow(cid, gone, true, false);
		repairable("following:" + cid + ": holds user " + gone + ", which does not exist", "removes it");
		follow(gone, cid, false, true);
		repairable("followers:" + cid + ": holds user " + gone + ", which does not exist", "removes it");
		for (String name : List.of("one", "two", "three", "four", "five")) {
			follow(cid, user(name), true, true);
		}
		byHand("following:" + cid + ": follows more than the limit of 4", "only the user can choose whom to unfollow",
				() -> {
					String first = this.redis.get("username:one");
					this.redis.zrem("following:" + cid, first);
					this.redis.zrem("followers:" + first, cid);
				});
		ownerless((id) -> "following:" + id, ann);
		ownerless((id) -> "followers:" + id, ann);
	}

	private void follow(String follower, String followed, boolean following, boolean followers) {
		if (following) {
			this.redis.zadd("following:" + follower, (double) this.old, followed);
		}
		if (followers) {
			this.redis.zadd("followers:" + followed, (double) this.old, follower);
		}
	}

	/** Adds a list whose owner does not exist, with a member that exists. */
	private void ownerless(UnaryOperator<String> list, String member) {
		String owner = id(this.old);
		String key = list.apply(owner);
		put(key, this.old, member);
		byHand(key + ": its user " + owner + " does not exist", "restore the user or delete the list by hand",
				() -> this.redis.del(key));
	}

	private void restrictions() {
		String blocker = user("blocker");
		String blocked = user("blocked");
		this.redis.zadd("blocked:" + blocker, (double) this.old, blocked);
		this.redis.zadd("following:" + blocked, (double) this.old, blocker);
		this.redis.zadd("followers:" + blocker, (double) this.old, blocked);
		repairable("blocked:" + blocker + ": has " + blocked + ", but one of the two follows the other",
				"ends the follows");
		for (int i = 0; i <= 2000; i++) {
			this.redis.zadd("muted:" + blocker, i, "a user who is gone " + i);
		}
		repairable("muted:" + blocker + ": holds more than 2000", "removes the oldest");
	}

	private void lists() {
		String user = user("lists");
		String post = post(user);
		missingByHand("posts:" + user);
		missing(Keys.homeTimeline(user));
		missingByHand("replies:" + post);
		missing("{live}:public");
		ownerless(Keys::homeTimeline, post);
		ownerless(Keys::mentions, post);
		ownerless(Keys::bookmarks, post);
		ownerless(Keys::notifications, "follow:" + user);
		put(Keys.notifications(user), this.old, "wave:" + user);
		repairable(Keys.notifications(user) + ": holds wave:" + user + ", which is no notification", "removes it");
		String reader = id(this.old);
		this.redis.set(Keys.notificationsRead(reader), "1");
		byHand(Keys.notificationsRead(reader) + ": its user " + reader + " does not exist",
				"restore the user or delete the list by hand", () -> this.redis.del(Keys.notificationsRead(reader)));
		put(Keys.tag("retwis"), this.old, "a post that was deleted long ago");
		this.redis.zadd("tags:r", 0, "retwis");
		this.redis.hset(Keys.reposts(post), user, post);
		repairable(Keys.reposts(post) + ": holds " + post + ", which is no repost by user " + user, "removes it");
		this.redis.zadd(Keys.likes(post), 1, user);
		repairable(Keys.likes(post) + ": holds user " + user + ", but liked:" + user + " does not hold the post",
				"removes the user");
		String liked = post(user);
		this.redis.zadd(Keys.liked(user), 1, liked);
		repairable(
				Keys.liked(user) + ": holds post " + liked + ", but " + Keys.likes(liked) + " does not hold the user",
				"counts the like again");
		String robbed = user("robbed");
		this.redis.zadd(Keys.likes(post), 1, robbed);
		byHand(Keys.likes(post) + ": holds user " + robbed + ", but liked:" + robbed + " does not hold the post",
				"restore what the user likes or remove the user by hand",
				() -> this.redis.zrem(Keys.likes(post), robbed));
		String original = post(user);
		String named = post(user);
		String unnamed = post(user);
		this.redis.hset(Keys.post(named), "repost_of", original);
		this.redis.hset(Keys.post(unnamed), "repost_of", original);
		this.redis.hset(Keys.reposts(original), user, named);
		repairable(Keys.post(unnamed) + ": is a repost that " + Keys.reposts(original) + " does not name",
				"deletes it");
		String orphan = post(user);
		String lost = id(this.old);
		this.redis.hset(Keys.post(orphan), "repost_of", lost);
		byHand(Keys.post(orphan) + ": is a repost of " + lost + ", which does not exist",
				"restore that post or delete the repost by hand",
				() -> this.redis.hdel(Keys.post(orphan), "repost_of"));
		String another = post(user("another"));
		this.redis.zadd("posts:" + user, (double) this.old, another);
		repairable("posts:" + user + ": holds post " + another + " of another author", "removes it");
		String parent = id(this.old);
		this.redis.zadd("replies:" + parent, (double) this.old, post);
		byHand("replies:" + parent + ": its post " + parent + " does not exist",
				"restore the post or delete the list by hand", () -> this.redis.del("replies:" + parent));
		String full = user("full");
		for (int i = 0; i < 6; i++) {
			String one = post(full);
			put(Keys.homeTimeline(full), this.old + i, one);
			this.redis.zadd("{live}:public", (double) this.old + i, one);
		}
		repairable(Keys.homeTimeline(full) + ": holds more than 5",
				"deletes it; the reader's next page builds a new one");
		repairable("{live}:public: holds more than 5", "removes the oldest");
	}

	private void put(String key, long score, String member) {
		this.redis.zadd(key, (double) score, member);
		if (key.contains("timeline:")) {
			this.redis.expire(key, 1000);
		}
	}

	private void missing(String key) {
		String id = id(this.old);
		put(key, this.now, id);
		repairable(key + ": holds post " + id + ", which does not exist", "removes it");
	}

	private void missingByHand(String key) {
		String id = id(this.old);
		put(key, this.now, id);
		byHand(key + ": holds post " + id + ", which does not exist", "restore the post or remove it by hand",
				() -> this.redis.zrem(key, id));
	}

	private void posts() {
		String user = user("posts");
		String body = deleted(user);
		this.redis.hset("post:" + body, "body", "text");
		repairable("post:" + body + ": is deleted, but still has a body", "deletes the body");
		String half = deleted(user);
		this.redis.zadd("posts:" + user, (double) this.old, half);
		repairable("post:" + half + ": is deleted, but still in posts:" + user,
				"logs the deletion again, so that the workers remove it");
		String shown = deleted(user);
		this.redis.zadd("{live}:public", (double) this.now, shown);
		repairable("post:" + shown + ": is deleted, but still in {live}:public",
				"logs the deletion again, so that the workers remove it");
		String unmade = unlisted(user, this.old);
		repairable("post:" + unmade + ": was never committed: no log entry names it", "deletes it");
		String unlisted = unlisted(user, this.old);
		put(Keys.homeTimeline(user), this.old, unlisted);
		repairable("post:" + unlisted + ": is committed, but not in posts:" + user, "adds it");
		String ancient = unlisted(user, this.now - 3 * HOUR);
		byHand("post:" + ancient + ": is in no list, and the log does not reach back to it",
				"add it to its author's posts or delete it by hand", () -> this.redis.del("post:" + ancient));
		String bare = post(user);
		this.redis.hdel("post:" + bare, "body");
		byHand("post:" + bare + ": has no body", "set it or delete the post by hand",
				() -> this.redis.hset("post:" + bare, "body", "text"));
		String nobody = id(this.old);
		String orphan = post(nobody);
		byHand("post:" + orphan + ": its author " + nobody + " does not exist",
				"restore the user or delete the post by hand", () -> this.redis.del("post:" + orphan));
		byHand("posts:" + nobody + ": its user " + nobody + " does not exist",
				"restore the user or delete the list by hand", () -> this.redis.del("posts:" + nobody));
	}

	private String deleted(String author) {
		String id = unlisted(author, this.old);
		this.redis.hset("post:" + id, "deleted", "1");
		this.redis.hdel("post:" + id, "body");
		return id;
	}

	private void log() {
		String user = user("log");
		String bare = entry(this.old, Map.of("type", "follow"));
		byHand("{live}:log: entry " + bare + " has no nonce", "it is skipped, and disappears when the log is trimmed",
				() -> this.redis.xdel("{live}:log", bare));
		String gone = id(this.old);
		String told = entry(this.old + 1, Map.of("nonce", "gone", "type", "post", "post", gone, "user", user));
		byHand("{live}:log: entry " + told + " names post " + gone + ", which does not exist",
				"it is skipped, and disappears when the log is trimmed", () -> this.redis.xdel("{live}:log", told));
		String made = unlisted(user, this.old);
		entry(this.old + 2, Map.of("nonce", "made", "type", "post", "post", made, "user", user));
	}

	private String entry(long millis, Map<String, String> fields) {
		return this.redis.xadd("{live}:log", new XAddArgs().id(millis + "-0"), fields);
	}

	private void search() {
		String dora = user("dora");
		this.redis.hset("user:" + dora, "words", "explorer");
		this.redis.zadd("names:e", 0, "explorer " + dora);
		this.redis.zadd("names:f", 0, "former " + dora);
		repairable("names:f: finds user " + dora + " by former, which is no name of that user", "removes it");
		String gustav = closed("gustav", this.now - 60_000);
		repairable("names:g: finds user " + gustav + " by gustav, which is no name of that user", "removes it");
		String emil = user("emil");
		this.redis.zrem("names:e", "emil " + emil);
		repairable("user:" + emil + ": is not in names:e", "adds it");
		this.redis.zadd("tags:s", 0, "sea");
		put(Keys.tag("lake"), this.old, post(dora));
		repairable("tag:lake: is not in tags:l", "adds it");
		this.redis.zadd("word:sea", 1.0, post(dora));
		repairable("word:sea: never expires", "makes it expire after PT168H");
		this.redis.zadd("{trending}:495000", 1.0, "sea");
		repairable("{trending}:495000: never expires", "makes it expire after PT25H");
	}

	private void lab() {
		String good = run(this.now);
		String gone = id(this.old);
		this.redis.zadd("{lab}:runs", (double) this.old, gone);
		repairable("{lab}:runs: names run " + gone + ", which does not exist", "removes it");
		String unlisted = run(this.old);
		this.redis.zrem("{lab}:runs", unlisted);
		repairable("{lab}:run:" + unlisted + ": is not in {lab}:runs", "deletes it");
		this.redis.hset("{lab}:run:" + good, "report", "x".repeat(1024 * 1024 + 1));
		byHand("{lab}:run:" + good + ": has a report of more than 1048576 bytes", "delete it by hand",
				() -> this.redis.hset("{lab}:run:" + good, "report", "x"));
		for (int i = 0; i < 100; i++) {
			run(this.now - i);
		}
		repairable("{lab}:runs: holds more than 100", "removes the oldest");
	}

	/** Adds a run of the lab without mistakes. */
	private String run(long millis) {
		String id = id(millis);
		this.redis.hset("{lab}:run:" + id, Map.of("head", "{}", "report", "x"));
		this.redis.zadd("{lab}:runs", (double) millis, id);
		return id;
	}

	private void moderation() {
		String listed = user("listed");
		this.redis.zadd("{live}:suspended", (double) this.old, listed);
		repairable("{live}:suspended: holds user " + listed + ", who is not suspended",
				"removes it, and logs that the user is restored");
		String lost = id(this.old);
		this.redis.zadd("{live}:suspended", (double) this.old, lost);
		byHand("{live}:suspended: holds user " + lost + ", who does not exist", "restore the user or remove it by hand",
				() -> this.redis.zrem("{live}:suspended", lost));
		String suspended = user("suspended");
		this.redis.hset("user:" + suspended, Map.of("state", "suspended", "suspended", Long.toString(this.old)));
		repairable("user:" + suspended + ": is suspended, but not in {live}:suspended", "logs the suspension again");
		String unreported = id(this.old);
		this.redis.zadd("{moderation}:reports", (double) this.old, unreported);
		repairable("{moderation}:reports: holds post " + unreported + ", of which there is no report", "removes it");
		String unlisted = "{moderation}:reports:" + id(this.old);
		this.redis.hset(unlisted, listed, this.old + " reason");
		repairable(unlisted + ": is not in {moderation}:reports", "adds it");
		String gone = id(this.old);
		this.redis.hset(unlisted, gone, this.old + " reason");
		repairable(unlisted + ": names user " + gone + ", whose account is deleted",
				"takes the user out of the report");
		this.redis.set("{moderation}:registration", "ajar");
		byHand("{moderation}:registration: is neither open nor closed", "set it by the command moderate registration",
				() -> this.redis.set("{moderation}:registration", "open"));
		this.redis.hset("{import}:marks", "posts", "many");
		byHand("{import}:marks: has a mark that is no number", "set it to the highest number that was imported",
				() -> this.redis.del("{import}:marks"));
	}

	private void strangers() {
		Consumer<String> stranger = (key) -> {
			this.redis.set(key, "1");
			byHand(key + ": is not a key of this site", "delete it by hand or move it away", () -> this.redis.del(key));
		};
		List.of("global:nextUserId", "user:42", "username:Alice", "{live}:else", "tag:Upper", "word:two words",
				"names:ab")
			.forEach(stranger);
		String key = "post:" + id(this.old);
		this.redis.set(key, "1");
		byHand(key + ": is a string, but should be a hash", "move it away by hand", () -> this.redis.del(key));
	}

}
