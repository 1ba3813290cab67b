package live.retwis.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

import live.retwis.ApplicationLauncher;
import live.retwis.redis.Keys;
import live.retwis.testing.LockServers;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Users who post, like and repost, and a reader who follows them all and has unread
 * notifications.
 *
 * @param cookie the reader's cookies
 * @param author name of a user with a whole page of posts
 * @param post id of a post with a whole page of replies
 * @param timeline key of the reader's home timeline
 */
record BenchTown(String cookie, String author, String post, String timeline) {

	private static final int AUTHORS = 25;

	private static final int POSTS_EACH = 8;

	/** Posts of a page. */
	private static final int PAGE = 20;

	/** Posts that get likes and reposts. */
	private static final int NEWEST = PAGE;

	/**
	 * Words of the shortest and of the longest post. A post has about 110 characters on
	 * average.
	 */
	private static final int SHORTEST = 4;

	private static final int LONGEST = 32;

	private static final String[] WORDS = ("a the of and to in that is was for with on this but from they we say her she or "
			+ "will my one all would there their what so up out if about who get which go me when make can like time just "
			+ "him know take people into year your good some could them see other than then now look only come over "
			+ "think also back after use two how our work first well way even new want because any these give day most "
			+ "café naïve “quoted” <b> R&D 👋")
		.split(" ");

	/** Fills an empty store through an instance that is stopped afterwards. */
	static BenchTown fill(int redisPort, LockServers locks) {
		try (ConfigurableApplicationContext instance = ApplicationLauncher.serve("--server.port=0",
				"--management.server.port=0", "--retwis.embedded=false", "--spring.data.redis.port=" + redisPort,
				"--retwis.limits.enabled=false", locks.setting())) {
			Site site = Site.of(instance);
			Random random = new Random(1);
			Visitor reader = Visitor.registered(site, "reader");
			List<Visitor> authors = IntStream.range(0, AUTHORS)
				.mapToObj((i) -> Visitor.registered(site, "author_" + i))
				.toList();
			authors.forEach(reader::follow);
			Visitor busy = authors.get(0);
			IntStream.range(0, PAGE).forEach((i) -> busy.post(text(random)));
			String answered = busy.post(text(random));
			authors.subList(0, PAGE).forEach((author) -> {
				author.get("/home");
				author.postJson("body", text(random), "reply_to", answered, "once", UUID.randomUUID().toString());
			});
			List<String> posts = new ArrayList<>();
			for (int i = 0; i < POSTS_EACH; i++) {
				String mention = (i == POSTS_EACH - 1) ? "@reader " : "";
				authors.forEach((author) -> posts.add(author.post(mention + text(random))));
			}
			for (String post : posts.subList(posts.size() - NEWEST, posts.size())) {
				authors.get(random.nextInt(AUTHORS)).submit("/posts/" + post + "/like");
				if (random.nextInt(4) == 0) {
					authors.get(random.nextInt(AUTHORS)).submit("/posts/" + post + "/repost");
				}
			}
			reader.get("/home");
			return new BenchTown(reader.cookieHeader(), busy.name(), answered, Keys.homeTimeline(reader.id()));
		}
	}

	private static String text(Random random) {
		int words = random.nextInt(SHORTEST, LONGEST + 1);
		return String.join(" ",
				IntStream.range(0, words).mapToObj((i) -> WORDS[random.nextInt(WORDS.length)]).toList());
	}

}
