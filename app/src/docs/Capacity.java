import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Works out what a site needs, from measured figures and from what is assumed of its users.
 * It prints the tables of capacity.md. Another site: {@code java app/src/docs/Capacity.java
 * users=5000000 likes=10}. An unknown name, or a value that is no positive number, ends it
 * with exit code 2.
 */
class Capacity {

	/** What was measured, in bytes unless said otherwise. measured.md has the commands. */
	private static final Map<String, Double> MEASURED = new LinkedHashMap<>();

	/** What is assumed of a site and of its machines. */
	private static final Map<String, Double> ASSUMED = new LinkedHashMap<>();

	static {
		MEASURED.put("a user", 704.0);
		MEASURED.put("a follow, on both sides", 55.0);
		MEASURED.put("a post in Redis, with its place in the author's list", 524.0);
		MEASURED.put("a full home timeline, plain encoding", 90_056.0);
		MEASURED.put("an entry of a home timeline, plain encoding", 113.0);
		MEASURED.put("three likes of a post", 136.0);
		MEASURED.put("a like in its user's list", 124.0);
		MEASURED.put("what Redis keeps of an archived post", 2.1);
		MEASURED.put("an archived post in PostgreSQL, with its words and indexes", 647.0);
		MEASURED.put("three likes of an archived post in PostgreSQL, with indexes", 195.0);
		MEASURED.put("an idle home stream", 2_890.0);
		MEASURED.put("the same, for each follow", 10.0);
		MEASURED.put("streams of one instance", 19_000.0);
		MEASURED.put("home pages a second of one core", 10_998.0);
		MEASURED.put("µs of the log’s master for a post, one instance", 325.0);
		MEASURED.put("the same, four instances", 417.0);

		ASSUMED.put("users", 1e6);
		ASSUMED.put("follows", 20.0);
		ASSUMED.put("posts", 100.0);
		ASSUMED.put("likes", 3.0);
		ASSUMED.put("active", 10.0);
		ASSUMED.put("posts-a-day", 2.0);
		ASSUMED.put("online", 10.0);
		ASSUMED.put("pages-a-minute", 2.0);
		ASSUMED.put("peak", 5.0);
		ASSUMED.put("archive-after", 90.0);
		ASSUMED.put("copies", 2.0);
		ASSUMED.put("filled", 60.0);
		ASSUMED.put("server", 64.0);
		ASSUMED.put("memory-price", 4.0);
		ASSUMED.put("disk-price", 0.1);
	}

	private static final Map<String, String> MEANING = Map.ofEntries(Map.entry("users", "users"),
			Map.entry("follows", "follows of a user"), Map.entry("posts", "posts that a user has made in all"),
			Map.entry("likes", "likes of a post"),
			Map.entry("active", "% of the users who were here in the last 30 days"),
			Map.entry("posts-a-day", "posts of an active user a day"),
			Map.entry("online", "% of the active users who have a page open at the same time"),
			Map.entry("pages-a-minute", "pages that each of those loads a minute"),
			Map.entry("peak", "times the average, in the busiest hour"),
			Map.entry("archive-after", "days until posts move (`retwis.archive.after`)"),
			Map.entry("copies", "servers with the same data: a master and its replicas"),
			Map.entry("filled", "% of a server's memory that data may take; the rest is for copies while it saves"),
			Map.entry("server", "GB of memory of a server"), Map.entry("memory-price", "price of a GB of memory a month"),
			Map.entry("disk-price", "price of a GB of disk a month"));

	/** The words of a post whose search lists it is in, at most 50, for seven days. */
	private static final double WORDS = 20;

	private static final double DAYS_OF_SEARCH = 7;

	private static final double GB = 1e9;

	/** In µs. */
	private static final double SECOND = 1e6;

	private final Map<String, Double> assumed;

	private Capacity(Map<String, Double> assumed) {
		this.assumed = assumed;
	}

	public static void main(String[] arguments) {
		Map<String, Double> site = new LinkedHashMap<>(ASSUMED);
		for (String argument : arguments) {
			String[] parts = argument.split("=", 2);
			if (parts.length < 2 || !site.containsKey(parts[0]) || !isPositive(parts[1])) {
				System.err.println("Cannot read '" + argument + "'. Give a name and a positive number, such as "
						+ "users=5000000. The names are " + String.join(", ", site.keySet()) + ".");
				System.exit(2);
			}
			site.put(parts[0], Double.valueOf(parts[1]));
		}
		boolean one = Arrays.stream(arguments).anyMatch((argument) -> argument.startsWith("users="));
		PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
		out.println(tables(site, one ? List.of(site.get("users")) : List.of(1e6, 1e7, 1e8)));
	}

	private static boolean isPositive(String text) {
		try {
			double value = Double.parseDouble(text);
			return value > 0 && value <= 1e12;
		}
		catch (NumberFormatException ex) {
			return false;
		}
	}

	private static String tables(Map<String, Double> site, List<Double> sizes) {
		StringBuilder text = new StringBuilder("| Measured | |\n| --- | ---: |\n");
		MEASURED.forEach((name, value) -> text.append("| " + name + " | " + number(value) + " |\n"));
		text.append("\n| Assumed | | |\n| --- | --- | ---: |\n");
		site.forEach((name, value) -> {
			if (!name.equals("users")) {
				text.append("| `" + name + "` | " + MEANING.get(name) + " | " + number(value) + " |\n");
			}
		});
		List<Capacity> sites = new ArrayList<>();
		for (double users : sizes) {
			Map<String, Double> sized = new LinkedHashMap<>(site);
			sized.put("users", users);
			sites.add(new Capacity(sized));
		}
		text.append("\n| Users |");
		sites.forEach((each) -> text.append(' ').append(number(each.of("users"))).append(" |"));
		text.append("\n| --- |").append(" ---: |".repeat(sites.size())).append('\n');
		row(text, sites, "posts in all", (each) -> each.of("users") * each.of("posts"));
		row(text, sites, "posts a second in the busiest hour", Capacity::postsASecond);
		row(text, sites, "**Redis, no archive**: GB of data", (each) -> each.redis(false) / GB);
		row(text, sites, "servers, copies included", (each) -> each.servers(false));
		row(text, sites, "price a month", (each) -> each.price(false));
		row(text, sites, "**Redis, with an archive**: GB of data", (each) -> each.redis(true) / GB);
		row(text, sites, "\u2013 users, their names and follows", (each) -> each.people() / GB);
		row(text, sites, "\u2013 posts that have not moved", (each) -> each.hotPosts() * each.post() / GB);
		row(text, sites, "\u2013 what stays of archived posts", (each) -> each.leftOfArchived() / GB);
		row(text, sites, "\u2013 likes in the lists of their users", (each) -> each.liked() / GB);
		row(text, sites, "\u2013 home timelines of active users", (each) -> each.timelines() / GB);
		row(text, sites, "\u2013 search lists, at most", (each) -> each.search() / GB);
		row(text, sites, "servers, copies included", (each) -> each.servers(true));
		row(text, sites, "PostgreSQL: GB of disk, each copy", (each) -> each.database() / GB);
		row(text, sites, "price a month of Redis and PostgreSQL", (each) -> each.price(true));
		row(text, sites, "streams open", Capacity::streams);
		row(text, sites, "GB of heap that these take while idle", (each) -> each.streams() * each.stream() / GB);
		row(text, sites, "instances for these streams", Capacity::instances);
		row(text, sites, "cores for pages", Capacity::cores);
		row(text, sites, "posts a second that the log’s master takes, with so many instances", Capacity::logTakes);
		row(text, sites, "posts in the busiest hour, in % of that", Capacity::logUsed);
		row(text, sites, "number of instances at which the log’s master is saturated", Capacity::instancesThatFillLog);
		return text.toString().stripTrailing();
	}

	private static void row(StringBuilder text, List<Capacity> sites, String name, ToDoubleFunction<Capacity> value) {
		text.append("| ").append(name).append(" |");
		sites.forEach((site) -> text.append(' ').append(number(value.applyAsDouble(site))).append(" |"));
		text.append('\n');
	}

	private static String number(double value) {
		boolean whole = value >= 100 || value == Math.rint(value);
		return String.format(Locale.ROOT, whole ? "%,.0f" : (value >= 0.1) ? "%,.1f" : "%,.3f", value);
	}

	private static double measured(String name) {
		return MEASURED.get(name);
	}

	private double of(String name) {
		return this.assumed.get(name);
	}

	private double activeUsers() {
		return of("users") * of("active") / 100;
	}

	private double postsADay() {
		return activeUsers() * of("posts-a-day");
	}

	private double postsASecond() {
		return of("peak") * postsADay() / 86_400;
	}

	/** A straight line from what was measured with one instance and with four. */
	private double logMicros() {
		return firstInstance() + (instances() - 1) * furtherInstance();
	}

	private static double firstInstance() {
		return measured("µs of the log’s master for a post, one instance");
	}

	private static double furtherInstance() {
		return (measured("the same, four instances") - firstInstance()) / 3;
	}

	private double logTakes() {
		return SECOND / logMicros();
	}

	private double logUsed() {
		return 100 * postsASecond() / logTakes();
	}

	private double instancesThatFillLog() {
		return Math.max(1, Math.ceil(1 + (SECOND / postsASecond() - firstInstance()) / furtherInstance()));
	}

	private double hotPosts() {
		return Math.min(postsADay() * of("archive-after"), of("users") * of("posts"));
	}

	private double archived() {
		return of("users") * of("posts") - hotPosts();
	}

	private double leftOfArchived() {
		return archived() * measured("what Redis keeps of an archived post");
	}

	private double post() {
		return measured("a post in Redis, with its place in the author's list") + likes();
	}

	/** A post's own list of likes. */
	private double likes() {
		return of("likes") / 3 * measured("three likes of a post");
	}

	private double people() {
		return of("users") * (measured("a user") + of("follows") * measured("a follow, on both sides"));
	}

	private double liked() {
		return of("users") * of("posts") * of("likes") * measured("a like in its user's list");
	}

	private double timelines() {
		return activeUsers() * measured("a full home timeline, plain encoding");
	}

	private double search() {
		return postsADay() * DAYS_OF_SEARCH * WORDS * measured("an entry of a home timeline, plain encoding");
	}

	private double redis(boolean archive) {
		double posts = archive
				? hotPosts() * post() + leftOfArchived()
				: of("users") * of("posts") * post();
		return people() + posts + liked() + timelines() + search();
	}

	private double servers(boolean archive) {
		double usable = of("server") * GB * of("filled") / 100;
		return of("copies") * Math.ceil(redis(archive) / usable);
	}

	private double database() {
		return archived() * (measured("an archived post in PostgreSQL, with its words and indexes")
				+ of("likes") / 3 * measured("three likes of an archived post in PostgreSQL, with indexes"));
	}

	private double price(boolean archive) {
		double memory = servers(archive) * of("server") * of("memory-price");
		return archive ? memory + of("copies") * database() / GB * of("disk-price") : memory;
	}

	private double streams() {
		return activeUsers() * of("online") / 100;
	}

	private double stream() {
		return measured("an idle home stream") + of("follows") * measured("the same, for each follow");
	}

	private double instances() {
		return Math.ceil(streams() / measured("streams of one instance"));
	}

	private double cores() {
		double pagesASecond = streams() * of("pages-a-minute") / 60;
		return Math.ceil(pagesASecond / measured("home pages a second of one core"));
	}

}
